/** Most messages that one lane claims for a channel, regardless of its provider. */
const takenAtMost = 100;
/** As many messages are claimed ahead as were dealt with in this time. */
const aheadMs = 250;
/** A claimed message is checked again after this time. */
const staleMs = 500;
/** Urgent messages in a row; then a slot is for another one, so that no flood stops campaigns. */
const urgentInARow = 4;
/** A provider whose slots are all taken, and that has answered nothing for so long, hangs. */
const hangsAfterMs = 2_000;

/**
 * Messages of one lane for one provider: those in flight, as many as there are slots, and those
 * that wait for a slot. As many are claimed ahead as were dealt with in a moment. A fast provider
 * then never waits for the database, and messages for a slow one do not become stale.
 */
export function createConcurrencyWindow<Message>(places: number) {
  let underWay = 0;
  const waiting: Record<'urgent' | 'others', Waiting<Message>[]> = { urgent: [], others: [] };
  let inARow = 0;
  /** Times of answers, and of messages that needed no slot. */
  let doneAtMs: number[] = [];
  /** Time of the last answer, or of the message that was first in flight after a pause. */
  let movedAtMs = 0;

  const count = () => waiting.urgent.length + waiting.others.length;
  const queueOf = (isUrgent: boolean) => waiting[isUrgent ? 'urgent' : 'others'];

  return {
    /**
     * Number of messages to claim now. Small claims are avoided, but a claim is made before many
     * slots are free. Urgent ones are claimed regardless of what waits, and leave the others a share.
     */
    capacity(nowMs: number, isUrgent: boolean): number {
      doneAtMs = doneAtMs.filter((atMs) => nowMs - atMs < aheadMs);
      const most = Math.min(takenAtMost, Math.max(places, doneAtMs.length));
      if (isUrgent) return Math.max(0, most - waiting.urgent.length);
      const room = most - underWay - count();
      if (room >= Math.min(most / 2, most - places * 0.75)) return room;
      const share = Math.ceil(most / (urgentInARow + 1));
      return waiting.urgent.length > 0 && waiting.others.length === 0 ? share : 0;
    },
    isBusy: () => underWay > 0 || count() > 0,
    hangs: (nowMs: number) => underWay >= places && nowMs - movedAtMs > hangsAfterMs,
    add(message: Message, takenAtMs: number, isUrgent: boolean) {
      queueOf(isUrgent).push({ message, takenAtMs });
    },
    /** The next message with a free slot, which `answer` releases; urgent ones first. */
    next(nowMs: number): Message | undefined {
      const isTurnOfOthers = inARow >= urgentInARow && waiting.others.length > 0;
      const isUrgent = waiting.urgent.length > 0 && !isTurnOfOthers;
      const [first] = queueOf(isUrgent);
      if (!first || underWay >= places || isStale(first, nowMs)) return undefined;
      queueOf(isUrgent).shift();
      inARow = isUrgent ? inARow + 1 : 0;
      if (underWay === 0) movedAtMs = nowMs;
      underWay += 1;
      return first.message;
    },
    /** Counts a claimed message that is not sent, such as those of a template that has expired. */
    skip(nowMs: number) {
      doneAtMs.push(nowMs);
    },
    answer(nowMs: number) {
      underWay -= 1;
      movedAtMs = nowMs;
      doneAtMs.push(nowMs);
    },
    /** Removes messages that have waited too long, for another check; all, with `isAll`. */
    leave(nowMs: number, isAll: boolean): Message[] {
      return Object.values(waiting).flatMap((queue) => {
        // The oldest are first.
        const kept = isAll ? -1 : queue.findIndex((one) => !isStale(one, nowMs));
        return queue.splice(0, kept < 0 ? queue.length : kept).map(({ message }) => message);
      });
    },
  };
}

interface Waiting<Message> {
  message: Message;
  takenAtMs: number;
}

const isStale = ({ takenAtMs }: { takenAtMs: number }, nowMs: number) =>
  nowMs - takenAtMs > staleMs;
