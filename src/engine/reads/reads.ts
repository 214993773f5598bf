// The object through which an operation reads everything outside of transactions. It records what is read.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Db, Tx } from '../postgres/client.ts'
import { beforeStatement, queryRows } from '../postgres/query.ts'
import type { BooleanColumns, BuildPageSql, ListsOfParents, MatchingOptions } from '../postgres/record-reads.ts'
import { unobservedClient } from './client.ts'
import type { Page } from './pages-for-each.ts'
import { matchingRowsSql, pagesOfParentsSql, runRead } from './read-engine.ts'
import { createReadRecorder, type ReadRecord } from './read-record.ts'
import { type RecordingClient, recordStatement } from './recording.ts'
import { compileMatchingRows, type PageArgs } from './statement.ts'
import { ifSupported } from './unsupported.ts'

const prismaMethods = ['findFirst', 'findUnique', 'findMany', 'count'] as const
const methods = [...prismaMethods, 'findPage', 'findPages'] as const
type ModelName = Uncapitalize<Prisma.ModelName>

/** Methods of a model that Prisma Client does not have. With `take: 0`, a page only has the total. */
interface ListReads<Where> {
  /** Reads a page of a list. `found` is its number of records, including the last ones (`unread`), which are counted but not read. */
  findPage(args: PageArgs): Promise<Page & { readonly found: number }>
  /** Reads one page for each parent, in the order of the IDs in `forEach`. */
  findPages(args: PageArgs & { readonly forEach: ListsOfParents }): Promise<Page[]>
  /** Returns a SELECT of one page per parent, with the position of the parent in the column `list`. */
  pagesOfParentsSql(forEach: ListsOfParents, pageOf: BuildPageSql): Promise<Prisma.Sql>
  /**
   * Returns a SELECT of the records that match, to use as a subquery of a statement for `rows`. It has all columns of the table,
   * and a boolean column for each condition in `booleanColumns`. Prepare the statement only if one plan serves all values of
   * the filter.
   */
  matchingRowsSql(where: Where, booleanColumns?: BooleanColumns, options?: MatchingOptions): Promise<Prisma.Sql>
}

type Models = {
  readonly [Model in ModelName]: Pick<Db[Model], (typeof prismaMethods)[number]> &
    ListReads<NonNullable<Prisma.Args<Db[Model], 'findMany'>['where']>>
}

/** Reads from one database server, outside of transactions. */
export interface Reads extends Models {
  /** Runs an SQL statement. PostgreSQL plans the statement for its values each time, unless it is `prepared`. */
  rows<Row>(statement: Pick<Prisma.Sql, 'text' | 'values'>, options?: { readonly prepared?: boolean }): Promise<Row[]>
  /** What was read through this object until now. */
  readonly record: ReadRecord
  /** Adds what a result that comes from a cache had read. */
  add(record: ReadRecord): void
  /** Returns `added` together with everything that the number of records matching the filter depends on. */
  recordOfFilter(model: ModelName, where: object, added: ReadRecord): ReadRecord
  /** Records that the result changes at this time, in milliseconds since 1970. */
  expiresAt(time: number): void
  /** Returns an object for a part of the operation, whose `record` has only what this part reads. */
  apart(): Reads
  /** Returns an object that reads from another server, with an empty record. */
  on(db: Db): Reads
  /** Returns an object with an empty record whose statements are not counted, to verify results. */
  unobserved(): Reads
}

type Source = Pick<RecordingClient, 'client' | 'recorder'> & { readonly now: Date }

/** Returns a method `rows` that runs SQL statements in a transaction. */
export const createTransactionReads = (tx: Pick<Tx, '$queryRaw'>): Pick<Reads, 'rows'> => ({
  rows: (statement) => tx.$queryRaw(statement as Prisma.Sql),
})

/** Creates the reads of an operation at the time `now`. */
export const createReads = (client: Db, now: Date): Reads => readsOf({ client, now, recorder: createReadRecorder(now) })

const readsOf = (source: Source): Reads => Object.assign(Object.create(prototype), source)

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
          ...Object.fromEntries(
            methods.map((name) => [name, (args: PageArgs = {}) => runRead(this, model, name, args)]),
          ),
          pagesOfParentsSql: (forEach: ListsOfParents, pageOf: BuildPageSql) =>
            pagesOfParentsSql(this, forEach, pageOf),
          matchingRowsSql: (where: object, columns?: BooleanColumns, options?: MatchingOptions) =>
            matchingRowsSql(this, model, where, columns, options),
        }
      },
    },
  )
}
