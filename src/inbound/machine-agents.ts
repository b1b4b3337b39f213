const names =
  /bot\b|crawl|spider|scan|preview|curl|wget|python|java\/|headless|barracuda|mimecast|proofpoint/i;

/** Whether a user agent is one of a scanner or a proxy that fetches ahead of any person. */
export function isMachineAgent(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return false;
  // Mail clients with privacy proxies send exactly this value; browsers do not.
  return userAgent === 'Mozilla/5.0' || names.test(userAgent);
}
