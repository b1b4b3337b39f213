/** One line for the person who watches the start. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Does one step of the start and says how long it took; `about` adds what came of it. */
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
