/** The switches that sites.mjs puts into the sources: which is off, and which were reached. */
export interface Switches {
  /** Runs some requests; until they are done the switch of this name is off, if any. */
  during<T>(name: string | undefined, work: () => Promise<T>): Promise<T>;
  /** Names of the switches that requests came by since the last call. */
  takeReached(): Set<string>;
}

const mark = /\/\*<(\/?)([^>]*)>\*\//g;

/** Makes the globals that the changed sources call. */
export function installSwitches(): Switches {
  let isOn = false;
  let off: string | undefined;
  let reached = new Set<string>();

  function onwardSwitch(name: string): boolean {
    if (!isOn) return false;
    reached.add(name);
    return name === off;
  }
  const switched = (text: string) =>
    text.replaceAll(mark, (_, isEnd: string, name: string) => {
      if (!onwardSwitch(name)) return '';
      return isEnd ? ')' : '(true or ';
    });

  /** The driver, with every statement and fragment seen before it is sent. */
  function onwardSql<Driver extends object>(driver: Driver): Driver {
    return new Proxy(driver, {
      apply(target, self, [first, ...values]: unknown[]): unknown {
        if (!Array.isArray(first) || !('raw' in first)) {
          return Reflect.apply(Object(target), self, [first, ...values]);
        }
        const texts = first.map((text) => switched(String(text)));
        return Reflect.apply(Object(target), self, [
          Object.assign(texts, { raw: texts }),
          ...values,
        ]);
      },
      get(target, name): unknown {
        const value: unknown = Reflect.get(target, name);
        if (name !== 'unsafe' || typeof value !== 'function') return value;
        return (text: string, ...values: unknown[]): unknown =>
          Reflect.apply(value, target, [switched(text), ...values]);
      },
    });
  }
  Object.assign(globalThis, { onwardSwitch, onwardSql });

  return {
    async during(name, work) {
      isOn = true;
      off = name;
      try {
        return await work();
      } finally {
        isOn = false;
        off = undefined;
      }
    },
    takeReached() {
      const taken = reached;
      reached = new Set();
      return taken;
    },
  };
}
