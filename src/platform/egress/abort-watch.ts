const watchers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts, until the returned function is called. Hundreds of exchanges
 * share the signal of one activity, and removing a listener from an EventTarget is linear in their
 * number: so one listener per signal, for good, and a set behind it.
 */
export function watchAbort(signal: AbortSignal, onAbort: () => void): () => void {
  let callbacks = watchers.get(signal);
  if (callbacks === undefined) {
    const created = new Set<() => void>();
    signal.addEventListener('abort', () => created.forEach((callback) => callback()), {
      once: true,
    });
    watchers.set(signal, created);
    callbacks = created;
  }
  const watched = callbacks;
  watched.add(onAbort);
  return () => watched.delete(onAbort);
}
