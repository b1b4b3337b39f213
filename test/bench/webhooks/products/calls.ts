/** Calls the interface of a product with its key; a refusal is an error. */
export function callerOf(base: string, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  async function call(method: string, path: string, body?: object): Promise<any> {
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${base}${path}`, { method, headers, body: text });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return answer === '' ? undefined : JSON.parse(answer);
  }
  return Object.assign(call, { headers });
}
