import type { Sql } from './sql.ts';

export interface ScopedConnection {
  sql: Sql;
  use<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/**
 * Creates the handle of one call. The handle is rejected after its work has ended: a late query
 * would run on a connection of another call, outside its transaction.
 */
export function scopeConnection(sql: Sql): ScopedConnection {
  let isOver = false;
  const check = () => {
    if (isOver) throw new Error('a query came after the end of the call that it belongs to');
  };
  const lent = new Proxy(sql, {
    apply(target, self, values): unknown {
      check();
      return Reflect.apply(target, self, values);
    },
    get(target, name): unknown {
      check();
      return Reflect.get(target, name);
    },
  });
  return {
    sql: lent,
    async use(work) {
      try {
        return await work(lent);
      } finally {
        isOver = true;
      }
    },
  };
}
