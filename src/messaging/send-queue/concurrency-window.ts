/** What one lane takes at once of a channel, whatever its provider bears. */
const takenAtMost = 100;
/** As much as went in this time is taken ahead of the places that become free. */
const aheadMs = 250;
/** What was true of a message when it was taken is looked at again after this. */
const staleMs = 500;

/**
 * Messages of one lane for one provider: those that are with it, as many as there are places, and
 * those that wait for a place. As many are taken ahead as went in a moment, so that a quick
 * provider never waits for the database, and behind a slow one nothing grows old.
 */
export function createConcurrencyWindow<Message>(places: number) {
  let underWay = 0;
  let waiting: { message: Message; takenAtMs: number }[] = [];
  let answeredAtMs: number[] = [];

  return {
    /**
     * Messages worth being taken: a look into the queue is for half of what is in hand at a time,
     * but before many places are free.
     */
    capacity(nowMs: number): number {
      answeredAtMs = answeredAtMs.filter((atMs) => nowMs - atMs < aheadMs);
      const most = Math.min(takenAtMost, Math.max(places, answeredAtMs.length));
      const room = most - underWay - waiting.length;
      return room >= Math.min(most / 2, most - places * 0.75) ? room : 0;
    },
    isBusy: () => underWay > 0 || waiting.length > 0,
    add(message: Message, takenAtMs: number) {
      waiting.push({ message, takenAtMs });
    },
    /** The next message, for which a place is free now; it is given back by `answer`. */
    next(nowMs: number): Message | undefined {
      const [first] = waiting;
      if (!first || underWay >= places || isStale(first, nowMs)) return undefined;
      waiting.shift();
      underWay += 1;
      return first.message;
    },
    answer(nowMs: number) {
      underWay -= 1;
      answeredAtMs.push(nowMs);
    },
    /** Those that have waited for so long that they are to be looked at again; all, if `isAll`. */
    leave(nowMs: number, isAll: boolean): Message[] {
      const over = waiting.filter((one) => isAll || isStale(one, nowMs));
      waiting = waiting.filter((one) => !over.includes(one));
      return over.map(({ message }) => message);
    },
  };
}

const isStale = ({ takenAtMs }: { takenAtMs: number }, nowMs: number) =>
  nowMs - takenAtMs > staleMs;
