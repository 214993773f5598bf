// Extends Prisma Client: `findPage` reads a page of a list and the total, `findPages` one page for each parent record,
// `matchingRows` turns a filter into SQL, and `select` accepts reusable selections.
import { Prisma, type PrismaClient } from '../../generated/prisma/client.ts'
import { modelOf } from './data-model.ts'
import { isSelectionAt, toSelect } from './selection-template.ts'

export interface PageOptions {
  readonly total?: boolean
  /** Conditions of the page that do not apply to the total. */
  readonly pageWhere?: object | undefined
  /** How many of the last records that `take` allows are only counted in `found`. For `findPage` only. */
  readonly unread?: number | undefined
}

/** The records of a page that are read. */
export const withoutUnread = <Item>(items: readonly Item[], take: number | undefined, unread = 0): Item[] =>
  items.slice(0, take === undefined ? undefined : take - unread)

/** Stands for the ID of the parent in the conditions of `findPages`, which are compiled once for all parents. */
export const parentId = Symbol('parentId')

/**
 * In a filter of a number, the numbers that a SELECT returns: `{ id: { [selectedIds]: … } }`. For conditions that Prisma does not
 * have, such as full text search.
 */
export const selectedIds = Symbol('selectedIds')

export interface SelectedIds {
  /** The column with the numbers. */
  readonly id: Prisma.Sql
  /** FROM and WHERE. */
  readonly rows: Prisma.Sql
}

/** The SELECT of all numbers. */
export const selectIds = ({ id, rows }: SelectedIds): Prisma.Sql => Prisma.sql`SELECT ${id} ${rows}`

/** A filter that accepts the numbers. */
export const isSelected = (selected: SelectedIds): Prisma.IntFilter => ({ [selectedIds]: selected }) as Prisma.IntFilter

/** A list for each parent record. */
export interface ForEach {
  readonly ids: readonly number[]
  /** The condition for the list of one parent. */
  readonly where: (id: number | typeof parentId) => object
  /** Whether a parent may have a large part of the records, as tags have. */
  readonly hasLongLists?: boolean
}

/** Returns a SELECT of a page of the records that `condition` selects: those of one parent. */
export type PageOf = (condition: object) => Promise<Prisma.Sql>

/** The arguments of findMany and PageOptions. */
export type PageArgs<Model> = Prisma.Args<Model, 'findMany'> & PageOptions

export interface PageResult<Model, Args> {
  readonly records: Prisma.Result<Model, Omit<Args, keyof PageOptions>, 'findMany'>
  /** Undefined unless `total` was set. */
  readonly total: number | undefined
  /** Number of records on the page, with those that are not read. */
  readonly found: number
}

/** Conditions by the names of their columns. Names are constants of the caller, because SQL contains them. */
export type BooleanColumns = Readonly<Record<string, object>>

export interface MatchingOptions {
  /** Whether the statement needs only the first of the records, or those of a few others. */
  readonly stopsEarly?: boolean
  /**
   * Whether the values are hidden from the planner, so that a plan for them costs no less than a generic one. A prepared statement
   * with such rows is then not planned each time.
   */
  readonly usesGenericPlan?: boolean
}

interface Delegate {
  findMany(args: object): Promise<object[]>
  count(args: object): Promise<number>
  findPage(args: object): Promise<PageResult<object, object>>
}

/** Adds findPage and findPages to each model of the client. With `take: 0` they only count the total. */
export function withFindPage(client: ReturnType<typeof withSelectionTemplates>) {
  return client.$extends({
    name: 'find-page',
    model: {
      $allModels: {
        async findPage<Model, Args extends PageArgs<Model>>(
          this: Model,
          { total, pageWhere, unread, ...args }: Args,
        ): Promise<PageResult<Model, Args>> {
          const delegate = this as unknown as Delegate
          const { where, take } = args as { where?: object; take?: number }
          const [found, count] = await Promise.all([
            take === 0
              ? []
              : delegate.findMany(pageWhere ? { ...args, where: { AND: [where ?? {}, pageWhere] } } : args),
            total ? delegate.count({ where }) : undefined,
          ])
          const records = withoutUnread(found, take, unread)
          return { records, total: count, found: found.length } as PageResult<Model, Args>
        },
        /** One page for each parent, in the order of their IDs. */
        findPages<Model>(
          this: Model,
          { forEach, ...args }: { readonly forEach: ForEach; readonly where?: object } & PageOptions,
        ): Promise<Omit<PageResult<object, object>, 'found'>[]> {
          const delegate = this as unknown as Delegate
          const { where = {} } = args
          const pages = forEach.ids.map(async (id) => {
            const { records, total } = await delegate.findPage({ ...args, where: { AND: [where, forEach.where(id)] } })
            return { records, total }
          })
          return Promise.all(pages)
        },
        /** A SELECT of pages, one for each parent, with the position of the parent in the column `list`. */
        async pagesForEach<Model>(this: Model, forEach: ForEach, pageOf: PageOf): Promise<Prisma.Sql> {
          const pages = forEach.ids.map(
            async (id, index) =>
              Prisma.sql`SELECT ${index + 1}::int AS list, page.* FROM (${await pageOf(forEach.where(id))}) AS page`,
          )
          return Prisma.join(await Promise.all(pages), ' UNION ALL ')
        },
        /**
         * A SELECT of the records that match, as a subquery of a statement for `queryRows`. It has all columns of the table,
         * and one boolean column for each condition in `booleanColumns`. The statement must not be prepared unless
         * one plan serves all values of the filter.
         */
        async matchingRows<Model>(
          this: Model,
          where: NonNullable<Prisma.Args<Model, 'findMany'>['where']>,
          booleanColumns: BooleanColumns = {},
          _options: MatchingOptions = {},
        ): Promise<Prisma.Sql> {
          const delegate = this as unknown as Delegate
          const idsOf = async (condition: object) => {
            const records = await delegate.findMany({ select: { id: true }, where: condition })
            return records.map((record) => (record as { id: number }).id)
          }
          const [ids, ...flagged] = await Promise.all(
            [where, ...Object.values(booleanColumns).map((flag) => ({ AND: [where, flag] }))].map(idsOf),
          )
          const { sql, raw, join, empty } = Prisma
          const columns = Object.keys(booleanColumns).map(
            (name, index) => sql`, id = ANY(${flagged[index] ?? []}::int[]) AS ${raw(`"${name}"`)}`,
          )
          const table = raw(modelOf(Prisma.getExtensionContext(this).$name ?? '').table)
          return sql`SELECT *${columns.length > 0 ? join(columns, '') : empty} FROM ${table} WHERE id = ANY(${ids}::int[])`
        },
      },
    },
  })
}

/** Makes findFirst and findMany accept a SelectionAt as `select`. */
export const withSelectionTemplates = (client: PrismaClient<'query'>) =>
  client.$extends({
    name: 'selection-templates',
    query: {
      $allModels: {
        findFirst: ({ args, query }) => query(withPlainSelect(args)),
        findMany: ({ args, query }) => query(withPlainSelect(args)),
      },
    },
  })

const withPlainSelect = <Args extends { select?: unknown }>(args: Args): Args =>
  isSelectionAt(args.select) ? { ...args, select: toSelect(args.select) } : args
