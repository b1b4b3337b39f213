/** A failure that the user can fix; its message says how. Shown without a stack. */
export class LocalFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalFailure';
  }
}
