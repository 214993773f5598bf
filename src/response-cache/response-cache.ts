// Answers to visitors as finished bytes, for as long as they are true.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/client.ts'
import { listen, type NotificationListener } from '../db/notifications.ts'
import type { Database } from '../db/pool.ts'
import { createChanges, type Dependencies, type Kind } from './changes.ts'
import type { OperationDependencies } from './dependencies.ts'
import { createExpiryTimes } from './expiry.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Weak, of the body; none where nobody asks for it. */
  readonly etag: string | undefined
  /** Name of the operation that was asked for, for the log. */
  readonly operation?: string | undefined
}

/** Takes down what an answer is made of while it is made. */
export interface Recorder {
  addDependencies(read: OperationDependencies): void
  /** The answer changes at this moment, in milliseconds since 1970. */
  expiresAt(moment: number): void
  /** It is nobody else's business, or can't be repeated. */
  preventCaching(): void
}

export interface ResponseCache {
  /** The answer that is kept under this key, if it is still true. */
  get(key: string, now: Date): HttpResponse | undefined
  /**
   * Has an answer made, and keeps it if it is a success and may be kept. Whoever asks for the same meanwhile shares it, if
   * `isShared` and unless something was written in between.
   */
  load(
    key: string,
    now: Date,
    isShared: boolean,
    produce: (recorder?: Recorder) => Promise<HttpResponse>,
  ): Promise<HttpResponse>
  /** Before this it keeps nothing. */
  open(): Promise<void>
  /** Resolves when everything that was committed so far shows. */
  waitForChanges(): Promise<void>
  /** For metrics. */
  stats(): CacheStats
  close(): Promise<void>
}

interface CacheStats {
  readonly hits: number
  readonly misses: number
  readonly entries: number
  readonly bytes: number
  /** Whether it is in use: it is not while changes can't be heard. */
  readonly isActive: boolean
}

interface CacheEntry extends HttpResponse, Dependencies {
  /** The count of changes before the first statement. */
  readonly moment: number
  /** When it is true, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

interface ProducedResponse {
  readonly response: HttpResponse
  /** Until when it may be told to others, in milliseconds since 1970. */
  readonly validUntil: number
}

interface PendingResponse {
  readonly moment: number
  readonly produced: Promise<ProducedResponse>
}

/** Bytes that an answer takes beside its body and key. */
const overhead = 1000

/** The memory of an instance; `bytes` is how much it may hold. */
export function createResponseCache(database: Database, db: Db, bytes: number): ResponseCache {
  if (bytes === 0) return disabledCache
  const changes = createChanges()
  let listener: NotificationListener = disconnected
  const edges = createExpiryTimes(db, changes)
  const entries = new LRUCache<string, CacheEntry>({
    maxSize: bytes,
    maxEntrySize: Math.ceil(bytes / 4),
    sizeCalculation: ({ body, records }, key) =>
      overhead + body.length + 2 * key.length + 50 * [...records.values()].reduce((sum, { size }) => sum + size, 0),
  })
  const pendingResponses = new Map<string, PendingResponse>()
  let [hits, misses] = [0, 0]

  const make = async (
    key: string,
    now: Date,
    produce: (recorder?: Recorder) => Promise<HttpResponse>,
  ): Promise<ProducedResponse> => {
    const { version: moment } = changes
    const isHeard = listener.isConnected()
    const { recorder, recorded } = createRecorder()
    const answer = await produce(recorder)
    const found = recorded()
    if (!isHeard || !found || answer.status !== 200) return { response: answer, validUntil: 0 }
    const next = await edges(now).catch(() => undefined)
    if (!next) return { response: answer, validUntil: 0 }
    const { publication, eventBoundary: time } = next
    const until = Math.min(found.until, publication, found.comparesTimes ? time : publication)
    if (changes.isCurrent(found, moment)) {
      const { kinds, records } = found
      entries.set(key, {
        ...answer,
        body: copyToOwnMemory(answer.body),
        kinds,
        records,
        moment,
        from: now.getTime(),
        until,
      })
    }
    return { response: answer, validUntil: until }
  }

  return {
    get(key, now) {
      const answer = listener.isConnected() ? entries.get(key) : undefined
      if (!answer) return undefined
      const at = now.getTime()
      if (at >= answer.from && at < answer.until && changes.isCurrent(answer, answer.moment)) {
        hits += 1
        return answer
      }
      entries.delete(key)
      return undefined
    },
    async load(key, now, isShared, produce) {
      misses += 1
      if (!isShared) return (await make(key, now, produce)).response
      const running = pendingResponses.get(key)
      if (running?.moment === changes.version && listener.isConnected()) {
        const made = await running.produced.catch(() => undefined)
        if (made && now.getTime() < made.validUntil) return made.response
      }
      const flight = { moment: changes.version, produced: make(key, now, produce) }
      pendingResponses.set(key, flight)
      const land = () => {
        if (pendingResponses.get(key) === flight) pendingResponses.delete(key)
      }
      flight.produced.then(land, land)
      return (await flight.produced).response
    },
    async open() {
      listener = await listen(database, changes)
    },
    waitForChanges: () => listener.waitForPending(),
    stats: () => ({
      hits,
      misses,
      entries: entries.size,
      bytes: entries.calculatedSize,
      isActive: listener.isConnected(),
    }),
    close: () => listener.close(),
  }
}

const disconnected: NotificationListener = {
  isConnected: () => false,
  waitForPending: async () => {},
  close: async () => {},
}

/** Keeps nothing. */
export const disabledCache: ResponseCache = {
  get: () => undefined,
  load: (_key, _now, _isShared, produce) => produce(),
  open: async () => {},
  waitForChanges: async () => {},
  stats: () => ({ hits: 0, misses: 0, entries: 0, bytes: 0, isActive: false }),
  close: async () => {},
}

function createRecorder() {
  const kinds = new Set<Kind>()
  const records = new Map<Kind, Set<number>>()
  // What fails before it reads anything is never noted.
  let [until, comparesTimes, isNoted, isForgotten] = [Number.POSITIVE_INFINITY, false, false, false]
  const recorder: Recorder = {
    addDependencies(read) {
      isNoted = true
      for (const kind of read.kinds) kinds.add(kind)
      for (const [kind, numbers] of read.records) {
        const all = records.get(kind) ?? new Set()
        records.set(kind, all)
        for (const number of numbers) all.add(number)
      }
      comparesTimes ||= read.comparesTimes
    },
    expiresAt(moment) {
      until = Math.min(until, moment)
    },
    preventCaching() {
      isForgotten = true
    },
  }
  return { recorder, recorded: () => (isForgotten || !isNoted ? undefined : { kinds, records, until, comparesTimes }) }
}

/** In memory of its own: a small buffer is a part of a large one, which would be kept with it. */
function copyToOwnMemory(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body
  const copy = Buffer.allocUnsafeSlow(body.length)
  body.copy(copy)
  return copy
}

/** Weak, since a proxy may pack what it names. */
export const etagOf = (body: string | Buffer): string => `W/"${hash('sha1', body, 'base64url')}"`
