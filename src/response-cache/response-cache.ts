// Answers to visitors as finished bytes, for as long as they are true.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/client.ts'
import { type Listener, listen } from '../db/notifications.ts'
import type { Database } from '../db/pool.ts'
import { createChanges, type Dependencies, type Kind } from './changes.ts'
import type { Read } from './dependencies.ts'
import { createEdges } from './expiry.ts'

export interface Answer {
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
  note(read: Read): void
  /** The answer changes at this moment, in milliseconds since 1970. */
  until(moment: number): void
  /** It is nobody else's business, or can't be repeated. */
  forget(): void
}

export interface Cache {
  /** The answer that is kept under this key, if it is still true. */
  get(key: string, now: Date): Answer | undefined
  /**
   * Has an answer made, and keeps it if it is a success and may be kept. Whoever asks for the same meanwhile shares it, if
   * `isShared` and unless something was written in between.
   */
  make(key: string, now: Date, isShared: boolean, produce: (recorder?: Recorder) => Promise<Answer>): Promise<Answer>
  /** Before this it keeps nothing. */
  open(): Promise<void>
  /** Resolves when everything that was committed so far shows. */
  settled(): Promise<void>
  /** For metrics. */
  state(): State
  close(): Promise<void>
}

interface State {
  readonly hits: number
  readonly misses: number
  readonly answers: number
  readonly bytes: number
  /** Whether it is in use: it is not while changes can't be heard. */
  readonly isOpen: boolean
}

interface Kept extends Answer, Dependencies {
  /** The count of changes before the first statement. */
  readonly moment: number
  /** When it is true, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

interface Made {
  readonly answer: Answer
  /** Until when it may be told to others, in milliseconds since 1970. */
  readonly until: number
}

interface Flight {
  readonly moment: number
  readonly made: Promise<Made>
}

/** Bytes that an answer takes beside its body and key. */
const overhead = 1000

/** The memory of an instance; `bytes` is how much it may hold. */
export function createCache(database: Database, db: Db, bytes: number): Cache {
  if (bytes === 0) return withoutMemory
  const changes = createChanges()
  let listener: Listener = deaf
  const edges = createEdges(db, changes)
  const kept = new LRUCache<string, Kept>({
    maxSize: bytes,
    maxEntrySize: Math.ceil(bytes / 4),
    sizeCalculation: ({ body, records }, key) =>
      overhead + body.length + 2 * key.length + 50 * [...records.values()].reduce((sum, { size }) => sum + size, 0),
  })
  const flights = new Map<string, Flight>()
  let [hits, misses] = [0, 0]

  const make = async (key: string, now: Date, produce: (recorder?: Recorder) => Promise<Answer>): Promise<Made> => {
    const { moment } = changes
    const isHeard = listener.hears()
    const { recorder, recorded } = record()
    const answer = await produce(recorder)
    const found = recorded()
    if (!isHeard || !found || answer.status !== 200) return { answer, until: 0 }
    const next = await edges(now).catch(() => undefined)
    if (!next) return { answer, until: 0 }
    const { publication, time } = next
    const until = Math.min(found.until, publication, found.comparesTimes ? time : publication)
    if (changes.isCurrent(found, moment)) {
      const { kinds, records } = found
      kept.set(key, { ...answer, body: alone(answer.body), kinds, records, moment, from: now.getTime(), until })
    }
    return { answer, until }
  }

  return {
    get(key, now) {
      const answer = listener.hears() ? kept.get(key) : undefined
      if (!answer) return undefined
      const at = now.getTime()
      if (at >= answer.from && at < answer.until && changes.isCurrent(answer, answer.moment)) {
        hits += 1
        return answer
      }
      kept.delete(key)
      return undefined
    },
    async make(key, now, isShared, produce) {
      misses += 1
      if (!isShared) return (await make(key, now, produce)).answer
      const running = flights.get(key)
      if (running?.moment === changes.moment && listener.hears()) {
        const made = await running.made.catch(() => undefined)
        if (made && now.getTime() < made.until) return made.answer
      }
      const flight = { moment: changes.moment, made: make(key, now, produce) }
      flights.set(key, flight)
      const land = () => {
        if (flights.get(key) === flight) flights.delete(key)
      }
      flight.made.then(land, land)
      return (await flight.made).answer
    },
    async open() {
      listener = await listen(database, changes)
    },
    settled: () => listener.settled(),
    state: () => ({ hits, misses, answers: kept.size, bytes: kept.calculatedSize, isOpen: listener.hears() }),
    close: () => listener.close(),
  }
}

const deaf: Listener = { hears: () => false, settled: async () => {}, close: async () => {} }

/** Keeps nothing. */
export const withoutMemory: Cache = {
  get: () => undefined,
  make: (_key, _now, _isShared, produce) => produce(),
  open: async () => {},
  settled: async () => {},
  state: () => ({ hits: 0, misses: 0, answers: 0, bytes: 0, isOpen: false }),
  close: async () => {},
}

function record() {
  const kinds = new Set<Kind>()
  const records = new Map<Kind, Set<number>>()
  // What fails before it reads anything is never noted.
  let [until, comparesTimes, isNoted, isForgotten] = [Number.POSITIVE_INFINITY, false, false, false]
  const recorder: Recorder = {
    note(read) {
      isNoted = true
      for (const kind of read.kinds) kinds.add(kind)
      for (const [kind, numbers] of read.records) {
        const all = records.get(kind) ?? new Set()
        records.set(kind, all)
        for (const number of numbers) all.add(number)
      }
      comparesTimes ||= read.comparesTimes
    },
    until(moment) {
      until = Math.min(until, moment)
    },
    forget() {
      isForgotten = true
    },
  }
  return { recorder, recorded: () => (isForgotten || !isNoted ? undefined : { kinds, records, until, comparesTimes }) }
}

/** In memory of its own: a small buffer is a part of a large one, which would be kept with it. */
function alone(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body
  const copy = Buffer.allocUnsafeSlow(body.length)
  body.copy(copy)
  return copy
}

/** Weak, since a proxy may pack what it names. */
export const etagOf = (body: string | Buffer): string => `W/"${hash('sha1', body, 'base64url')}"`
