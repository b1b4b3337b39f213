/** Most messages that one lane claims for a channel, regardless of its provider. */
const takenAtMost = 100;
/** As many messages are claimed ahead as were sent in this time. */
const aheadMs = 250;
/** A claimed message is checked again after this time. */
const staleMs = 500;
/** A provider whose slots are all taken, and that has answered nothing for so long, hangs. */
const hangsAfterMs = 2_000;

/**
 * Messages of one lane for one provider: those in flight, as many as there are slots, and those
 * that wait for a slot. As many are claimed ahead as were sent in a moment. A fast provider then
 * never waits for the database, and messages for a slow one do not become stale.
 */
export function createConcurrencyWindow<Message>(places: number) {
  let underWay = 0;
  let waiting: { message: Message; takenAtMs: number; isUrgent: boolean }[] = [];
  let answeredAtMs: number[] = [];
  /** Time of the last answer, or of the message that was first in flight after a pause. */
  let movedAtMs = 0;

  return {
    /**
     * Number of messages to claim now. Small claims are avoided, but a claim is made before many
     * slots are free.
     */
    capacity(nowMs: number): number {
      answeredAtMs = answeredAtMs.filter((atMs) => nowMs - atMs < aheadMs);
      const most = Math.min(takenAtMost, Math.max(places, answeredAtMs.length));
      const room = most - underWay - waiting.length;
      return room >= Math.min(most / 2, most - places * 0.75) ? room : 0;
    },
    isBusy: () => underWay > 0 || waiting.length > 0,
    hangs: (nowMs: number) => underWay >= places && nowMs - movedAtMs > hangsAfterMs,
    /** Urgent messages precede those that wait for a slot. */
    add(message: Message, takenAtMs: number, isUrgent: boolean) {
      const one = { message, takenAtMs, isUrgent };
      const others = waiting.findIndex((waits) => !waits.isUrgent);
      if (isUrgent && others >= 0) waiting.splice(others, 0, one);
      else waiting.push(one);
    },
    /** The next message with a free slot, which `answer` releases. */
    next(nowMs: number): Message | undefined {
      const [first] = waiting;
      if (!first || underWay >= places || isStale(first, nowMs)) return undefined;
      waiting.shift();
      if (underWay === 0) movedAtMs = nowMs;
      underWay += 1;
      return first.message;
    },
    answer(nowMs: number) {
      underWay -= 1;
      movedAtMs = nowMs;
      answeredAtMs.push(nowMs);
    },
    /** Removes messages that have waited too long, for another check; all, with `isAll`. */
    leave(nowMs: number, isAll: boolean): Message[] {
      const over = waiting.filter((one) => isAll || isStale(one, nowMs));
      waiting = waiting.filter((one) => !over.includes(one));
      return over.map(({ message }) => message);
    },
  };
}

const isStale = ({ takenAtMs }: { takenAtMs: number }, nowMs: number) =>
  nowMs - takenAtMs > staleMs;
