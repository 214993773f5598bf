// Extends Prisma Client: `findPage` reads a page of a list and the total, and `select` accepts reusable selections.
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { isSelectionAt, toSelect } from './selection-template.ts'

export interface PageOptions {
  readonly total?: boolean
  /** A condition on the first column of `orderBy` that `where` implies: an index scan can start there. Not used for the total. */
  readonly scanBounds?: object | undefined
}

/** The arguments of findMany and PageOptions. */
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

/** Adds findPage to each model of the client. With `take: 0` it only counts the total. */
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
