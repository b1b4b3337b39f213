/** Repeats the check until the condition holds. */
export async function untilTrue(
  condition: () => boolean | Promise<boolean>,
  withinMs?: number,
): Promise<void> {
  await eventually(
    async () => condition(),
    (holds) => holds,
    withinMs,
  );
}

/** Repeats until the answer satisfies the check; fails with the last answer after `withinMs`. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isThere: (answer: T) => boolean,
  withinMs = 280_000,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isThere(answer)) return answer;
    if (Date.now() > until) {
      throw new Error(`it did not happen in time; last seen: ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
