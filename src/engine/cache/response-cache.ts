// Caches responses to anonymous requests until a record that they depend on changes, or until they expire.
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { copyToOwnMemory } from '../../basics/own-memory.ts'
import type { Db } from '../postgres/client.ts'
import { listenForNotifications, type NotificationListener } from '../postgres/notifications.ts'
import type { Database } from '../postgres/pool.ts'
import { createReadRecorder, type Dependencies, type ReadRecord } from '../reads/read-record.ts'
import { createChangeTracker } from './changes.ts'
import { type CountCache, createCountCache } from './counts.ts'
import { createExpiryFinder } from './expiry.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream can be sent only once, so only the ETag of its response is cached. */
  readonly body: Buffer | Readable
  /** Weak ETag of the body; undefined for responses that clients cannot revalidate. */
  readonly etag: string | undefined
  /** Name of the GraphQL operation, for the log. */
  readonly operation?: string | undefined
  /** How long the response is valid; undefined if the response is not the same for all visitors. */
  readonly validity?: Validity | undefined
}

/**
 * The records that a response depends on, and the time until which the response is valid if they do not change, in milliseconds
 * since 1970.
 */
export interface Validity extends Dependencies {
  readonly until: number
}

export interface CachedResponse extends HttpResponse {
  readonly body: Buffer
  /** Whether the body was a stream. `body` is empty then, and only the ETag can be used. */
  readonly isStreamed: boolean
  /** The response with compressed bodies, by the name of the encoding. */
  readonly encoded?: ReadonlyMap<string, CachedResponse>
  /** The headers that the response was sent with, if it can be sent with the same headers again. */
  sentHeaders?: SentHeaders | undefined
}

/** Headers of a response, each as a list of alternating names and values. */
interface SentHeaders {
  readonly ok: readonly string[]
  /** The headers of a 304 response, which has no body. */
  readonly notModified: readonly string[]
  /** Whether each response also has a header with its request ID. */
  readonly hasRequestId: boolean
  /** Time from which the response needs other headers, in milliseconds since 1970. */
  readonly until: number
}

/** Collects what a response depends on while the response is produced. */
export interface ResponseRecorder {
  add(record: ReadRecord): void
  /** Call if the response changes when an event starts or ends. */
  comparesTimes(): void
  /** Call if the response changes at this time, in milliseconds since 1970. */
  expiresAt(time: number): void
  /** Call if the response is private, or differs from one request to the next. */
  preventCaching(): void
  /** Cached totals of lists, counts of facets, and days of calendars. */
  readonly counts: CountCache
}

export type ResponseCache = ReturnType<typeof createResponseCache>

interface CacheEntry extends CachedResponse, Dependencies {
  readonly key: string
  /** Version of the change tracker before the first statement of the response. */
  readonly version: number
  /** The response is valid from `from` until before `until`, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

interface ProducedResponse {
  readonly response: HttpResponse
  /** Until when other requests may share the response, in milliseconds since 1970. */
  readonly validUntil: number
}

type Produce<Result> = (recorder?: ResponseRecorder) => Promise<Result>

/** Bytes of a cache entry in the heap, in addition to body and key; measured with 12,000 entries. */
const entryOverhead = 2000

const sizeOf = ({ key, body, encoded, records }: CacheEntry): number =>
  entryOverhead +
  body.length +
  [...(encoded?.values() ?? [])].reduce((sum, each) => sum + entryOverhead + each.body.length, 0) +
  2 * key.length +
  50 * [...records.values()].reduce((sum, { size }) => sum + size, 0)

/** Creates the response cache of a process, which holds at most `bytes` bytes; 0 turns the cache off. */
export function createResponseCache(database: Database, db: Db, bytes: number) {
  const changes = createChangeTracker()
  let listener: NotificationListener | undefined
  const isConnected = () => listener?.isConnected() ?? false
  const validUntil = createExpiryFinder(db, changes)
  const countsFor = createCountCache(changes, isConnected)
  const maxEntrySize = Math.max(1, Math.ceil(bytes / 4))
  /**
   * Cached responses by the checksum of their key, because finding a key of several kilobytes takes five times as long. If two
   * keys have the same checksum, only the last response is cached.
   */
  const entries = new LRUCache<number, CacheEntry>({
    maxSize: Math.max(1, bytes),
    maxEntrySize,
    sizeCalculation: sizeOf,
  })
  const pendingResponses = new Map<string, { readonly version: number; readonly produced: Promise<ProducedResponse> }>()
  let [hits, misses] = [0, 0]

  /** Runs a function, and returns its result with the period in which a cache may keep this result. */
  const produceTracked = async <Result>(now: Date, produce: Produce<Result>) => {
    const { version } = changes
    const wasConnected = isConnected()
    const counts = countsFor(now.getTime(), version, (read) => validUntil(now, read))
    const { recorder, recorded } = createRecorder(now, counts)
    const result = await produce(recorder)
    const dependencies = recorded()
    const until = wasConnected && dependencies ? await validUntil(now, dependencies).catch(() => undefined) : undefined
    if (!dependencies || until === undefined) return { result, version, validity: undefined, isCurrent: false }
    const { kinds, records } = dependencies
    const validity = { kinds, records, until }
    return { result, version, validity, isCurrent: isConnected() && changes.isCurrent(validity, version) }
  }

  const produceAndCache = async (key: string, now: Date, produce: Produce<HttpResponse>): Promise<ProducedResponse> => {
    const { result: response, version, validity, isCurrent } = await produceTracked(now, produce)
    if (!validity || response.status !== 200) return { response, validUntil: 0 }
    const isStreamed = !Buffer.isBuffer(response.body)
    const validUntil = isStreamed ? 0 : validity.until
    if (!isCurrent) return { response, validUntil }
    const body = Buffer.isBuffer(response.body) ? copyToOwnMemory(response.body) : Buffer.alloc(0)
    // A stream gets no validity, because it is read later, when records may have changed.
    const checked = isStreamed ? response : { ...response, validity }
    entries.set(crc32(key), { ...checked, key, ...validity, body, isStreamed, version, from: now.getTime() })
    return { response: checked, validUntil }
  }

  return {
    /** Returns the cached response for this key; undefined if the cache has no current response. */
    get(key: string, now: Date): CachedResponse | undefined {
      const checksum = crc32(key)
      const entry = isConnected() ? entries.get(checksum) : undefined
      if (entry?.key !== key) return undefined
      const time = now.getTime()
      if (time >= entry.from && time < entry.until && changes.isCurrent(entry, entry.version)) return entry
      entries.delete(checksum)
      return undefined
    },
    /** Counts a cache hit, for metrics. */
    countHit(): void {
      hits += 1
    },
    /** Stores the compressed body of a cached response, unless the response has been replaced or the body is too long. */
    addEncoded(key: string, cached: CachedResponse, encoding: string, body: Buffer): void {
      const checksum = crc32(key)
      const entry = entries.peek(checksum)
      if (!entry || entry.body !== cached.body) return
      const headers = { ...entry.headers, 'content-encoding': encoding }
      const { encoded: before, sentHeaders: _ofPlain, ...plain } = entry
      const encoded = new Map(before).set(encoding, { ...plain, headers, body: copyToOwnMemory(body) })
      const extended = { ...entry, encoded }
      if (sizeOf(extended) <= maxEntrySize) entries.set(checksum, extended)
    },
    /**
     * Produces a response and caches it if it is a success. If `isShareable`, simultaneous calls with one key share the
     * response, unless a record changed in between.
     */
    async load(key: string, now: Date, isShareable: boolean, produce: Produce<HttpResponse>): Promise<HttpResponse> {
      misses += 1
      if (!isShareable) return (await produceAndCache(key, now, produce)).response
      const running = pendingResponses.get(key)
      if (running?.version === changes.version && isConnected()) {
        const shared = await running.produced.catch(() => undefined)
        if (shared && now.getTime() < shared.validUntil) return shared.response
      }
      const pending = { version: changes.version, produced: produceAndCache(key, now, produce) }
      pendingResponses.set(key, pending)
      const removePending = () => {
        if (pendingResponses.get(key) === pending) pendingResponses.delete(key)
      }
      pending.produced.then(removePending, removePending)
      return (await pending.produced).response
    },
    /** Runs `produce` without caching its result. `validity` is undefined if no cache may keep the result. */
    async track<Result>(now: Date, produce: Produce<Result>) {
      const { result, validity, isCurrent } = await produceTracked(now, produce)
      return { result, validity: isCurrent ? validity : undefined }
    },
    /** Starts caching: listens for changes in the database. */
    async open(): Promise<void> {
      if (bytes > 0) listener = await listenForNotifications(database, changes)
    },
    /** Resolves once all writes committed so far have invalidated the responses that depend on them. */
    waitForChanges: async () => listener?.waitForPending(),
    /** Returns hits, misses, number and size of entries, for metrics. */
    stats: () => ({
      hits,
      misses,
      entries: entries.size,
      bytes: entries.calculatedSize,
      /** False while notifications of changes do not arrive: the cache is not used then. */
      isActive: isConnected(),
    }),
    close: async () => listener?.close(),
  }
}

function createRecorder(now: Date, counts: CountCache) {
  const reads = createReadRecorder(now)
  // A request that fails before it reads anything has no dependencies, and must not be cached.
  let [hasDependencies, isPrevented] = [false, false]
  const recorder: ResponseRecorder = {
    add(record) {
      hasDependencies = true
      reads.add(record)
    },
    comparesTimes: () => reads.comparedTimes([now]),
    expiresAt: reads.expiresAt,
    preventCaching() {
      isPrevented = true
    },
    counts,
  }
  const recorded = () => {
    const record = reads.snapshot()
    return isPrevented || !hasDependencies || record.isUncacheable ? undefined : record
  }
  return { recorder, recorded }
}

/** Returns the ETag of a body. The ETag is weak, because a proxy may compress the body. */
export const etagOf = (body: string | Buffer): string => `W/"${hash('sha1', body, 'base64url')}"`
