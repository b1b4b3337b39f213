/** Whether codes and confirmations may be sent to a number by SMS. */
export function isSmsAllowed(phone: string, allowedPrefixes: readonly string[]): boolean {
  if (allowedPrefixes.length === 0) return true;
  return allowedPrefixes.some((prefix) => phone.startsWith(prefix));
}
