/**
 * Milliseconds of computing of this process since `begun`, a value of `process.cpuUsage()`: what other
 * programs of a busy machine do does not add to it.
 */
export function cpuMsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
