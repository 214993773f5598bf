// Idempotency-Key (IETF draft httpapi-idempotency-key): a repeated request with the same key writes nothing again. The
// transaction of the write also stores the key, so that both are stored or neither. The response is stored afterwards.
import { hash } from 'node:crypto'
import {
  badInputError,
  committedUnreadableError,
  type DomainError,
  idempotencyKeyInProgressError,
  idempotencyKeyReusedError,
} from '../../basics/errors.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Db, Tx } from './client.ts'
import { queryRows } from './query.ts'

/** Milliseconds for which a key is stored. */
const lifetime = 24 * 60 * 60 * 1000

/** Maximum number of characters of a stored response. A longer response is built again for a repeated request. */
const maxStoredLength = 128 * 1024

/** Header of the response to a repeated request. */
export const replayedHeader = 'idempotency-replayed'

/** The result of a mutation, as JSON. */
type Outcome = Readonly<Record<string, unknown>>

/** A write request with an Idempotency-Key. Keys are unique per user. */
export interface IdempotentRequest {
  readonly userId: number
  readonly key: string
  readonly fingerprint: string
  readonly now: Date
  /** Results that were committed with this key, by the response name of the mutation field. */
  readonly outcomes: Map<string, Outcome>
  /** Whether something was committed with this key, by this request or an earlier one. */
  isClaimed: boolean
  /** Whether a mutation was skipped because an earlier request committed it. */
  isReplayed: boolean
  /** Whether the response contains a secret, and must not be stored. */
  isSecret: boolean
}

/** A response that can be sent again. */
interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How an API stores its responses. `encode` returns undefined for a response that must not be stored. */
export interface ResponseStorage<ApiResponse> {
  encode(response: ApiResponse): StoredResponse | undefined
  decode(stored: StoredResponse): ApiResponse
}

/** Parses the header: a quoted string as in structured fields (RFC 8941), or the bare key. Throws badInputError. */
export function readIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const text = String(header).trim()
  const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1')
  const key = quoted ?? (/^[!#-~]+$/.test(text) ? text : '')
  if (key.length >= 1 && key.length <= 255) return key
  throw badInputError({
    'Idempotency-Key':
      'Idempotency-Key must have 1 to 255 printable ASCII characters, in double quotes if it contains spaces.',
  })
}

export const createIdempotentRequest = (
  request: Pick<IdempotentRequest, 'userId' | 'key' | 'fingerprint' | 'now'>,
): IdempotentRequest => ({ ...request, outcomes: new Map(), isClaimed: false, isReplayed: false, isSecret: false })

/** Returns a hash of the request. The order of properties does not affect the hash. */
export const fingerprintOf = async (request: unknown): Promise<string> =>
  hash('sha256', JSON.stringify(await canonical(request, 0)))

const maxDepth = 100

async function canonical(value: unknown, depth: number): Promise<unknown> {
  if (depth > maxDepth) throw badInputError({ input: `Values can be nested at most ${maxDepth} levels deep.` })
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  // Recognizes files by a property, because GraphQL Yoga has its own class for files.
  if ('arrayBuffer' in value) return canonical(new Uint8Array(await (value as Blob).arrayBuffer()), depth)
  if (value instanceof Uint8Array) return { sha256: hash('sha256', value) }
  if (Array.isArray(value)) return Promise.all(value.map((item) => canonical(item, depth + 1)))
  const names = Object.keys(value).sort()
  const items = names.map(async (name) => [name, await canonical((value as Outcome)[name], depth + 1)] as const)
  return Object.fromEntries(await Promise.all(items))
}

/** Returns the keys of the requests that are running in this process on a database. */
const runningKeys = memoizeByObject((_db: Db) => new Set<string>())

/**
 * Returns the stored response of an earlier request with the same key, or else the response that `produce` returns. Throws
 * idempotencyKeyInProgressError while the first request runs, and idempotencyKeyReusedError for a different request with the key.
 */
export async function respondOnce<ApiResponse>(
  db: Db,
  request: IdempotentRequest,
  { encode, decode }: ResponseStorage<ApiResponse>,
  produce: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const keys = runningKeys(db)
  const name = `${request.userId} ${request.key}`
  if (keys.has(name)) throw idempotencyKeyInProgressError()
  keys.add(name)
  try {
    const stored = await findStoredResponse(db, request)
    if (stored) {
      request.isReplayed = true
      return decode(stored)
    }
    const response = await produce().catch((error) => {
      throw committedBefore(request, error) ?? error
    })
    if (request.isClaimed && !request.isSecret) await storeResponse(db, request, encode(response))
    return response
  } finally {
    keys.delete(name)
  }
}

const selectKey = `
  SELECT fingerprint, outcomes::text AS outcomes, status, headers::text AS headers, body FROM idempotency_key
  WHERE user_id = $1 AND key = $2 AND created_at > $3`

interface KeyRow {
  readonly fingerprint: string
  readonly outcomes: string
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
}

const expiryLimit = (now: Date) => new Date(now.getTime() - lifetime)

/** Returns the stored response of an earlier request with this key, and copies the committed results to `request`. */
async function findStoredResponse(db: Db, request: IdempotentRequest): Promise<StoredResponse | undefined> {
  const { userId, key, now } = request
  const values = [userId, key, expiryLimit(now)]
  const [row] = await queryRows<KeyRow>(db, { text: selectKey, values, prepared: 'constant' })
  if (!row) return undefined
  readOutcomes(request, row)
  const { status, headers, body } = row
  return status === null || body === null ? undefined : { status, headers: JSON.parse(headers ?? '{}'), body }
}

function readOutcomes(request: IdempotentRequest, { fingerprint, outcomes }: Pick<KeyRow, 'fingerprint' | 'outcomes'>) {
  if (fingerprint !== request.fingerprint) throw idempotencyKeyReusedError()
  for (const [field, outcome] of Object.entries(JSON.parse(outcomes) as Record<string, Outcome>)) {
    request.outcomes.set(field, outcome)
    request.isClaimed = true
  }
}

/** Returns SQL that inserts the key, or overwrites an expired row with the same key. */
function claimKey({ userId, key, fingerprint, now }: IdempotentRequest): Prisma.Sql {
  const isLive = Prisma.sql`k.created_at > ${expiryLimit(now)}::timestamptz`
  return Prisma.sql`
    INSERT INTO idempotency_key AS k (user_id, key, fingerprint, created_at)
    VALUES (${userId}::int, ${key}, ${fingerprint}, ${now}::timestamptz)
    ON CONFLICT (user_id, key) DO UPDATE SET
      fingerprint = CASE WHEN ${isLive} THEN k.fingerprint ELSE excluded.fingerprint END,
      outcomes = CASE WHEN ${isLive} THEN k.outcomes ELSE '{}' END,
      status = CASE WHEN ${isLive} THEN k.status END,
      headers = CASE WHEN ${isLive} THEN k.headers END,
      body = CASE WHEN ${isLive} THEN k.body END,
      created_at = CASE WHEN ${isLive} THEN k.created_at ELSE excluded.created_at END
    RETURNING fingerprint, outcomes::text AS outcomes`
}

/**
 * Runs `write` in the transaction `tx` and stores its result under the key, or returns the result that was committed before.
 * The lock makes a concurrent request fail at once; with the unique index alone it would wait for the first one.
 */
export async function writeOnce<Done extends object>(
  tx: Tx,
  request: IdempotentRequest,
  field: string,
  write: () => Promise<Done>,
  toStore: (done: Done) => object,
): Promise<Done> {
  const { userId, key } = request
  const [lock] = await tx.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`idempotency_key ${userId} ${key}`}, 0)) AS locked`
  if (!lock?.locked) throw idempotencyKeyInProgressError()
  const [row] = await tx.$queryRaw<KeyRow[]>(claimKey(request))
  if (row) readOutcomes(request, row)
  const committed = findReplay<Done>(request, field)
  if (committed) return committed
  const done = await write()
  await tx.$executeRaw`
    UPDATE idempotency_key
    SET outcomes = outcomes || jsonb_build_object(${field}::text, ${JSON.stringify(toStore(done))}::jsonb)
    WHERE user_id = ${userId} AND key = ${key}`
  request.isClaimed = true
  return done
}

/** Returns the result that an earlier request with this key committed; undefined if the mutation has to run. */
export function findReplay<Done extends object>(request: IdempotentRequest, field: string): Done | undefined {
  const outcome = request.outcomes.get(field) as Done | undefined
  if (outcome) request.isReplayed = true
  return outcome
}

/**
 * Returns the error for a repeated request whose write was committed before but whose response cannot be built again, for
 * example because the write deleted the record. Returns undefined if nothing was committed.
 */
function committedBefore({ outcomes }: IdempotentRequest, cause: unknown): DomainError | undefined {
  const [outcome] = outcomes.values()
  return (
    outcome &&
    committedUnreadableError({ databaseId: typeof outcome.id === 'number' ? outcome.id : null, id: null }, cause)
  )
}

const updateKey = `
  UPDATE idempotency_key SET status = $3, headers = $4::jsonb, body = $5 WHERE user_id = $1 AND key = $2 AND status IS NULL`

/** Stores the response. Ignores errors, because the write is committed; a repeated request then builds the response again. */
async function storeResponse(db: Db, { userId, key }: IdempotentRequest, response: StoredResponse | undefined) {
  if (!response || response.body.length > maxStoredLength) return
  const { status, headers, body } = response
  const values = [userId, key, status, JSON.stringify(headers), body]
  await queryRows(db, { text: updateKey, values, prepared: 'constant' }).catch(() => undefined)
}
