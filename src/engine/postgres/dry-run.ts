// A dry run does the work and rolls it back, so that its report is that of the run. The work begins transactions of its own, so it
// cannot run in a transaction of Prisma.
import type pg from 'pg'

/** The transactions of the work are parts of the one that is rolled back. */
const nested: Readonly<Record<string, string>> = {
  BEGIN: 'SAVEPOINT dry_run',
  COMMIT: 'RELEASE SAVEPOINT dry_run',
  ROLLBACK: 'ROLLBACK TO SAVEPOINT dry_run',
}

/** Returns a pool for a client without prepared statements, and a function that rolls back what its work writes by that client. */
export function createDryRun(pool: pg.Pool) {
  let held: pg.PoolClient | undefined
  let last: Promise<unknown> = Promise.resolve()
  const part = (client: pg.PoolClient) =>
    override(client, {
      // One after the other: reads of an operation would be sent at the same time.
      query: (query: pg.QueryConfig, ...others: []) => {
        const send = () => client.query({ ...query, text: nested[query.text] ?? query.text }, ...others)
        const result = last.then(send, send)
        last = result
        return result
      },
      release: () => {},
    })
  const connection = override(pool, {
    connect: async () => (held ? part(held) : pool.connect()),
    query: (...query: [pg.QueryConfig]) => (held ? part(held) : pool).query(...query),
    on: () => connection,
  })
  const runAndRollBack = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const client = await pool.connect()
    held = client
    try {
      await client.query('BEGIN')
      return await work()
    } finally {
      held = undefined
      await client.query('ROLLBACK').finally(() => client.release())
    }
  }
  return { connection, runAndRollBack }
}

/** The object with other methods, which stays an instance of its class. */
const override = <Value extends object>(value: Value, methods: object): Value =>
  new Proxy(value, {
    get(target, name) {
      const found = Reflect.get(Object.hasOwn(methods, name) ? methods : target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
