// What reads have beyond those of Prisma: `findPage`, a page of a list and the number of records on all pages; and
// selections that are built once for many operations.
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { isSelectionAt, toSelect } from './selection-template.ts'

export interface PageOptions {
  readonly total?: boolean
  /** What `where` implies for the first column of the order: an index scan can start there. Totals do without. */
  readonly scanBounds?: object | undefined
}

/** Of findMany, and those of the page. */
export type PageArgs<Model> = Prisma.Args<Model, 'findMany'> & PageOptions

export interface PageResult<Model, Args> {
  readonly records: Prisma.Result<Model, Omit<Args, keyof PageOptions>, 'findMany'>
  /** Undefined unless `total` was set. */
  readonly total: number | undefined
}

interface Delegate {
  findMany(args: object): Promise<object[]>
  count(args: object): Promise<number>
}

/** Adds findPage to each model of the client. With `take: 0` only the total is counted. */
export function withFindPage(client: ReturnType<typeof withSelectionTemplates>) {
  return client.$extends({
    name: 'find-page',
    model: {
      $allModels: {
        async findPage<Model, Args extends PageArgs<Model>>(
          this: Model,
          { total, scanBounds, ...args }: Args,
        ): Promise<PageResult<Model, Args>> {
          const delegate = this as unknown as Delegate
          const { where, take } = args as { where?: object; take?: number }
          const [records, count] = await Promise.all([
            take === 0
              ? []
              : delegate.findMany(scanBounds ? { ...args, where: { AND: [where ?? {}, scanBounds] } } : args),
            total ? delegate.count({ where }) : undefined,
          ])
          return { records, total: count } as PageResult<Model, Args>
        },
      },
    },
  })
}

/** Lets reads of records take a SelectionAt as their `select`. */
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
