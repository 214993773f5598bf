// Logs sign-ins, and failed ones, in the table of changes. Credentials are sent with each request, and strangers can fail as
// often as they like, so several become one entry. Requests do not wait for it, and errors are ignored.
import { LRUCache } from 'lru-cache'
import type { Db } from '../../engine/postgres/client.ts'
import { queryRows } from '../../engine/postgres/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type LoginAttempt, networkOf } from './login-throttle.ts'
import type { Viewer } from './permissions.ts'

const { sql } = Prisma

const minute = 60_000
const hour = 60 * minute

/** Maximum of entries about addresses per minute. All other addresses share one entry. */
const maxAddresses = 10

/** Maximum of logins that are looked up for an entry. */
const maxLogins = 10

interface Environment {
  readonly db: Db
  readonly now: () => Date
}

/** Failed sign-ins of an address in a minute. */
interface Failures {
  /** Empty for several addresses. */
  readonly address: string
  readonly start: Date
  /** The API of the first one. */
  readonly source: string | undefined
  readonly logins: Set<string>
  count: number
  /** The ID of the entry, and how many failures it says. */
  entry?: { readonly id: string; readonly count: number }
  writing?: Promise<void> | undefined
}

const run = (db: Db, { text, values }: Prisma.Sql) =>
  queryRows<{ readonly id: string }>(db, { text, values, prepared: 'constant' })

/** Creates the log of a process. */
export function createSignInLog() {
  /** The hour of the last entry by user and credential. */
  const hours = new LRUCache<string, number>({ max: 10_000 })
  const failures = new Map<string, Failures>()
  let current = 0
  return {
    /** Logs the first sign-in of a credential in an hour. */
    addSignIn({ db, now }: Environment, { id, authentication }: Viewer, { source, requestId }: LoginAttempt): void {
      const time = now()
      const start = Math.floor(time.getTime() / hour) * hour
      const credential = authentication?.credential ?? null
      const key = `${id} ${credential}`
      if (hours.get(key) === start) return
      hours.set(key, start)
      const statement = sql`
        INSERT INTO change (created_at, kind, record_id, action, user_id, credential_id, source, request_id)
        SELECT ${time}::timestamptz, 'user', ${id}::int, 'signed_in', ${id}::int, ${credential}::int, ${source ?? null}, ${requestId ?? null}
        WHERE NOT EXISTS (
          SELECT FROM change WHERE created_at >= ${new Date(start)}::timestamptz AND kind = 'user' AND record_id = ${id}::int
            AND action = 'signed_in' AND credential_id IS NOT DISTINCT FROM ${credential}::int)`
      run(db, statement).catch(() => hours.delete(key))
    },
    addFailure({ db, now }: Environment, { address, login, source }: LoginAttempt): void {
      const start = Math.floor(now().getTime() / minute) * minute
      if (start !== current) failures.clear()
      current = start
      const network = networkOf(address)
      const key = failures.has(network) || failures.size < maxAddresses ? network : ''
      const found = failures.get(key) ?? { address: key, start: now(), source, logins: new Set(), count: 0 }
      failures.set(key, found)
      found.count += 1
      if (login !== undefined && found.logins.size < maxLogins) found.logins.add(login)
      found.writing ??= writeFailures(db, found)
        .catch(() => undefined)
        .finally(() => {
          found.writing = undefined
        })
    },
  }
}

/** Writes the entry until it says all failures. Of logins, only users who exist are stored. */
async function writeFailures(db: Db, failures: Failures): Promise<void> {
  while (failures.entry?.count !== failures.count) {
    const { count, logins, entry, address, start, source } = failures
    const change = sql`
      SELECT coalesce(min(id), 0) AS record, jsonb_build_object(
        'address', jsonb_build_array(NULL, nullif(${address}::text, '')), 'failures', jsonb_build_array(NULL, ${count}::int),
        'users', jsonb_build_array(NULL, coalesce(jsonb_agg(id ORDER BY id), '[]'))) AS fields
      FROM "user" WHERE login = ANY (${[...logins]}::text[])`
    const [row] = await run(
      db,
      entry
        ? sql`UPDATE change SET record_id = record, fields = new.fields FROM (${change}) AS new WHERE change.id = ${entry.id}::bigint
            RETURNING change.id::text`
        : sql`INSERT INTO change (created_at, kind, record_id, action, source, fields)
            SELECT ${start}::timestamptz, 'user', record, 'sign_in_failed', ${source ?? null}, fields FROM (${change}) AS new RETURNING id::text`,
    )
    if (!row) return
    failures.entry = { id: row.id, count }
  }
}
