// Loads records with the fields that an operation selects: by IDs, or the first match of a filter.

import type { NodeKind } from '../../basics/errors.ts'
import type {
  BooleanColumns,
  BuildPageSql,
  ListsOfParents,
  MatchingOptions,
} from '../../engine/postgres/record-reads.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { RecordSelection } from '../../service/graphql/record-selection.ts'

export interface LoadedPage {
  readonly records: object[]
  readonly total: number | undefined
  /** Number of records including unread records; only set by findPage. */
  readonly found?: number
}

/** Arguments for reading a page of a list, in the form of Prisma's `findMany` with a few additions. */
export interface ListPageArgs {
  readonly where?: object
  readonly orderBy?: object | undefined
  readonly skip?: number | undefined
  readonly take?: number | undefined
  readonly select: object
  readonly total?: boolean
  readonly pageWhere?: object | undefined
  /** Number of records at the end of `take` that are only counted in `found`. */
  readonly unread?: number | undefined
}

/** The methods of `context.reads` for one kind of record, without their exact types. */
export interface RecordReads {
  findMany(args: object): Promise<object[]>
  findFirst(args: object): Promise<object | null>
  findPage(args: ListPageArgs): Promise<LoadedPage>
  findPages(args: ListPageArgs & { readonly forEach: ListsOfParents }): Promise<LoadedPage[]>
  count(args: object): Promise<number>
  pagesOfParentsSql(forEach: ListsOfParents, pageOf: BuildPageSql): Promise<Prisma.Sql>
  matchingRowsSql(where: object, booleanColumns?: BooleanColumns, options?: MatchingOptions): Promise<Prisma.Sql>
}

/** Maximum of IDs in a filter, because a PostgreSQL statement has a limit of parameters. */
export const maxMatches = 30_000

export const getRecordReads = ({ reads }: Pick<Context, 'reads'>, name: NodeKind | `${RecordKind}Text`): RecordReads =>
  reads[name] as unknown as RecordReads

/** Loads records by ID. Leaves out records that do not exist, or that `visible` excludes. */
export async function findRecordsByIds<Node extends object>(
  context: Context,
  kind: NodeKind,
  selection: RecordSelection,
  ids: readonly number[],
  visible: object = {},
): Promise<ReadonlyMap<number, Node>> {
  if (ids.length === 0) return new Map()
  const { select, toSource } = selection()
  const byIds = { id: { in: [...new Set(ids)] } }
  const where = Object.keys(visible).length === 0 ? byIds : { AND: [byIds, visible] }
  const records = (await getRecordReads(context, kind).findMany({ select, where })) as { id: number }[]
  return new Map(records.map((record) => [record.id, toSource<Node>(record)]))
}

export async function findRecord<Node extends object>(
  context: Context,
  kind: NodeKind,
  selection: RecordSelection,
  where: object,
  orderBy?: object,
): Promise<Node | null> {
  const { select, toSource } = selection()
  const record = await getRecordReads(context, kind).findFirst({ select, where, ...(orderBy && { orderBy }) })
  return record && toSource<Node>(record)
}
