// Everything that an operation reads outside of transactions goes through one object, which records it.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { beforeStatement, queryRows, registerAlias } from '../postgres/query.ts'
import type { BooleanColumns, ForEach, MatchingOptions, PageOf } from '../postgres/record-reads.ts'
import { via } from './read-engine.ts'
import { createReadRecorder, type ReadRecord, type ReadRecorder } from './read-record.ts'
import { recordStatement } from './recording.ts'
import { compileMatchingRows } from './statement.ts'
import { ifSupported } from './unsupported.ts'

const methods = ['findFirst', 'findUnique', 'findMany', 'count', 'findPage', 'findPages'] as const
type Method = (typeof methods)[number] | 'matchingRows' | 'pagesForEach'
type ModelName = Uncapitalize<Prisma.ModelName>

type Models = { readonly [Model in ModelName]: Pick<Db[Model], Method> }

/** Reads outside of transactions, on one server. */
export interface Reads extends Models {
  /** Runs a statement of our own. It is planned each time for its values unless it is `prepared`. */
  rows<Row>(statement: Pick<Prisma.Sql, 'text' | 'values'>, options?: { readonly prepared?: boolean }): Promise<Row[]>
  /** What was read until now. */
  readonly record: ReadRecord
  /** Adds what was read for something that comes from a cache. */
  add(record: ReadRecord): void
  /** `added`, and what the number of records depends on that the filter selects. */
  recordOfFilter(model: ModelName, where: object, added: ReadRecord): ReadRecord
  /** The result changes at this time, in milliseconds since 1970. */
  expiresAt(time: number): void
  /** Records what it reads apart, too. */
  apart(): Reads
  /** The same reads on another server, which begin with an empty record. */
  on(db: Db): Reads
}

interface Source {
  readonly client: Db
  readonly now: Date
  readonly recorder: ReadRecorder
}

type Call = (args: object) => Promise<unknown>

/** Statements of our own on the connection of a transaction. */
export const readsIn = (tx: Pick<Tx, '$queryRaw'>): Pick<Reads, 'rows'> => ({
  rows: (statement) => tx.$queryRaw(statement as Prisma.Sql),
})

/** `now` is the time of the operation. */
export const createReads = (client: Db, now: Date): Reads => readsOf({ client, now, recorder: createReadRecorder(now) })

function readsOf(source: Source): Reads {
  const reads = Object.assign(Object.create(prototype), source)
  registerAlias(reads, source.client)
  return reads
}

type Self = Reads & Source

const prototype = {
  [beforeStatement](this: Self, text: string, values: readonly unknown[]) {
    recordStatement(this.recorder, text, values)
  },
  rows(
    this: Self,
    { text, values }: Pick<Prisma.Sql, 'text' | 'values'>,
    { prepared = false }: { readonly prepared?: boolean } = {},
  ) {
    return queryRows(this, { text, values, prepared: prepared ? 'constant' : undefined })
  },
  get record() {
    return (this as unknown as Self).recorder.snapshot()
  },
  add(this: Self, record: ReadRecord) {
    this.recorder.add(record)
  },
  recordOfFilter(this: Self, model: ModelName, where: object, added: ReadRecord) {
    const recorder = createReadRecorder(this.now)
    recorder.add(added)
    const statement = ifSupported(() =>
      compileMatchingRows(
        model.replace(/^./, (letter) => letter.toUpperCase()),
        where,
        {},
        {},
      ),
    )
    if (statement) recordStatement(recorder, statement.text, statement.values)
    else recorder.addEverything()
    return recorder.snapshot()
  },
  expiresAt(this: Self, time: number) {
    this.recorder.expiresAt(time)
  },
  apart(this: Self) {
    return readsOf({ client: this.client, now: this.now, recorder: this.recorder.child() })
  },
  on(this: Self, db: Db) {
    return createReads(db, this.now)
  },
}

for (const name of Object.keys(Prisma.ModelName)) {
  const model = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as ModelName
  Object.defineProperty(prototype, model, {
    get(this: Self) {
      const delegate = this.client[model] as unknown as Readonly<Record<string, Call>> & {
        pagesForEach: Models['event']['pagesForEach']
        matchingRows(where: object, columns: BooleanColumns | undefined, options: object): Promise<Prisma.Sql>
      }
      const calls = methods.map((method) => [
        method,
        (args: object = {}) => (delegate[method] as Call)({ ...args, [via]: this }),
      ])
      return {
        ...Object.fromEntries(calls),
        // Only makes a statement of those that `pageOf` returns.
        pagesForEach: (forEach: ForEach, pageOf: PageOf) => delegate.pagesForEach(forEach, pageOf),
        matchingRows: (where: object, columns?: BooleanColumns, options?: MatchingOptions) =>
          delegate.matchingRows(where, columns, { ...options, [via]: this }),
      }
    },
  })
}
