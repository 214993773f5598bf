// Everything that an operation reads outside of transactions goes through one object, which records it.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { beforeStatement, queryRows, registerAlias } from '../postgres/query.ts'
import type { BooleanColumns, BuildPageSql, ListsOfParents, MatchingOptions } from '../postgres/record-reads.ts'
import { unobservedClient } from './client.ts'
import type { Page } from './pages-for-each.ts'
import { matchingRowsSql, pagesOfParentsSql, read } from './read-engine.ts'
import { createReadRecorder, type ReadRecord } from './read-record.ts'
import { type RecordingClient, recordStatement } from './recording.ts'
import { compileMatchingRows, type PageArgs } from './statement.ts'
import { ifSupported } from './unsupported.ts'

const prismaMethods = ['findFirst', 'findUnique', 'findMany', 'count'] as const
const methods = [...prismaMethods, 'findPage', 'findPages'] as const
type ModelName = Uncapitalize<Prisma.ModelName>

/** Reads of one model that Prisma Client does not have. With `take: 0`, a page only has the total. */
interface ListReads<Where> {
  /** A page of a list. `found` also counts the records of the page that are not read. */
  findPage(args: PageArgs): Promise<Page & { readonly found: number }>
  /** One page for each parent, in the order of their IDs. */
  findPages(args: PageArgs & { readonly forEach: ListsOfParents }): Promise<Page[]>
  /** A SELECT of pages, one for each parent, with the position of the parent in the column `list`. */
  pagesOfParentsSql(forEach: ListsOfParents, pageOf: BuildPageSql): Promise<Prisma.Sql>
  /**
   * A SELECT of the records that match, as a subquery of a statement for `rows`. It has all columns of the table, and one boolean
   * column for each condition in `booleanColumns`. The statement must not be prepared unless one plan serves all values of the
   * filter.
   */
  matchingRowsSql(where: Where, booleanColumns?: BooleanColumns, options?: MatchingOptions): Promise<Prisma.Sql>
}

type Models = {
  readonly [Model in ModelName]: Pick<Db[Model], (typeof prismaMethods)[number]> &
    ListReads<NonNullable<Prisma.Args<Db[Model], 'findMany'>['where']>>
}

/** Reads outside of transactions, on one server. */
export interface Reads extends Models {
  /** Runs a statement of our own. It is planned each time for its values unless it is `prepared`. */
  rows<Row>(statement: Pick<Prisma.Sql, 'text' | 'values'>, options?: { readonly prepared?: boolean }): Promise<Row[]>
  /** What was read until now. */
  readonly record: ReadRecord
  /** Adds the record of reads of a result that comes from a cache. */
  add(record: ReadRecord): void
  /** `added`, and what the number of records depends on that the filter selects. */
  recordOfFilter(model: ModelName, where: object, added: ReadRecord): ReadRecord
  /** The result changes at this time, in milliseconds since 1970. */
  expiresAt(time: number): void
  /** Returns the same reads with an additional record of their own. */
  apart(): Reads
  /** The same reads on another server, which begin with an empty record. */
  on(db: Db): Reads
  /** The same reads, which begin with an empty record and count as no statements, to verify what was read. */
  unobserved(): Reads
}

type Source = Pick<RecordingClient, 'client' | 'recorder'> & { readonly now: Date }

/** Statements of our own on the connection of a transaction. */
export const createTransactionReads = (tx: Pick<Tx, '$queryRaw'>): Pick<Reads, 'rows'> => ({
  rows: (statement) => tx.$queryRaw(statement as Prisma.Sql),
})

/** `now` is the time of the operation. */
export const createReads = (client: Db, now: Date): Reads => readsOf({ client, now, recorder: createReadRecorder(now) })

function readsOf(source: Source): Reads {
  const reads = Object.assign(Object.create(prototype), source)
  registerAlias(reads, source.client)
  return reads
}

type Self = Reads & RecordingClient & Source

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
    const name = model.replace(/^./, (letter) => letter.toUpperCase())
    const statement = ifSupported(() => compileMatchingRows(name, where))
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
  unobserved(this: Self) {
    return createReads(unobservedClient(this.client), this.now)
  },
}

for (const model of Object.keys(Prisma.ModelName)) {
  Object.defineProperty(
    prototype,
    model.replace(/^./, (letter) => letter.toLowerCase()),
    {
      get(this: Self) {
        return {
          ...Object.fromEntries(methods.map((name) => [name, (args: PageArgs = {}) => read(this, model, name, args)])),
          pagesOfParentsSql: (forEach: ListsOfParents, pageOf: BuildPageSql) =>
            pagesOfParentsSql(this, forEach, pageOf),
          matchingRowsSql: (where: object, columns?: BooleanColumns, options?: MatchingOptions) =>
            matchingRowsSql(this, model, where, columns, options),
        }
      },
    },
  )
}
