declare module 'sns-validator' {
  class MessageValidator {
    validate(message: object, done: (error: unknown) => void): void;
  }
  export = MessageValidator;
}
