/** The work of an activity is not at fault: its worker stops, or another one has claimed the work. */
export class Interrupted extends Error {
  override name = 'Interrupted';
}
