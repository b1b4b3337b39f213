/** A failure that the user can fix; its message describes the fix. Shown without a stack. */
export class LocalFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalFailure';
  }
}
