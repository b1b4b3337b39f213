/** Bytes of one file, and of all files of a team in this process, that may come too early. */
const fileBytes = 4_194_304;
const teamBytes = 16_777_216;
/** Bytes that each block counts for beyond its own: small ones take memory too. */
const blockBytes = 1_024;
const costOf = (block: Buffer) => block.length + blockBytes;

const heldByTeam = new Map<string, number>();

/** Blocks of a file that come before those in front of them, as clients send that write in parallel. */
export interface EarlyBlocks {
  /** Keeps a block; false where there is no room, or one of this place already. */
  hold(offset: number, bytes: Buffer): boolean;
  /** The block of a place, which is kept no longer. */
  take(offset: number): Buffer | undefined;
  isEmpty(): boolean;
  clear(): void;
}

export function createEarlyBlocks(teamId: string): EarlyBlocks {
  const blocks = new Map<number, Buffer>();
  let held = 0;
  const count = (bytes: number) => {
    held += bytes;
    const left = (heldByTeam.get(teamId) ?? 0) + bytes;
    if (left > 0) heldByTeam.set(teamId, left);
    else heldByTeam.delete(teamId);
  };
  return {
    hold(offset, bytes) {
      const inAll = heldByTeam.get(teamId) ?? 0;
      const cost = costOf(bytes);
      const isFull = held + cost > fileBytes || inAll + cost > teamBytes;
      if (isFull || blocks.has(offset)) return false;
      blocks.set(offset, Buffer.from(bytes));
      count(cost);
      return true;
    },
    take(offset) {
      const block = blocks.get(offset);
      if (block && blocks.delete(offset)) count(-costOf(block));
      return block;
    },
    isEmpty: () => blocks.size === 0,
    clear() {
      blocks.clear();
      count(-held);
    },
  };
}
