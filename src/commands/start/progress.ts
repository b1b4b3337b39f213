/** One line for the person who watches the start. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs one step of the start and prints its duration; `about` adds the result. */
export async function step<T>(
  name: string,
  work: () => Promise<T>,
  about?: (result: T) => string,
): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
  const more = about ? `  ${about(result)}` : '';
  say(`  ${name.padEnd(10)} … ready in ${seconds} s${more}`.trimEnd());
  return result;
}
