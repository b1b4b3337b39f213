/** The outcome of a test of a login, as the activity of the test names it. */
export function describeTest(outcome: string): string {
  switch (outcome) {
    case 'waiting':
      return 'The test waits for that of another one of the team.';
    case 'ended':
      return 'No test was requested any more.';
    case 'succeeded':
      return 'The test has succeeded.';
    default:
      return `The test has failed: ${outcome}.`;
  }
}
