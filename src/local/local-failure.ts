/** What the person who starts the service can mend; its message says how. Shown without a stack. */
export class LocalFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalFailure';
  }
}
