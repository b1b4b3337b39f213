/** JSON of the service, which checks it against the schemas that the types were written from. */
export function readJson<Data>(text: string): Data {
  const value: unknown = JSON.parse(text);
  trust<Data>(value);
  return value;
}

export function trust<Data>(_value: unknown): asserts _value is Data {
  // Validation would weigh more than the rest of the SDK.
}
