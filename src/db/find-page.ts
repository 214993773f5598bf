// `findPage`: a page of a list and, where it is wanted, the number of records on all pages.
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'

/** Of findMany, and `total`. */
export type PageArgs<Model> = Prisma.Args<Model, 'findMany'> & {
  readonly total?: boolean
  /** Whether one plan of the list's statement is good whatever the values in `where` are. Prisma ignores it. */
  readonly usesGenericPlan?: boolean
}

export interface PageResult<Model, Args> {
  readonly records: Prisma.Result<Model, Omit<Args, 'total' | 'usesGenericPlan'>, 'findMany'>
  /** Undefined unless `total` was set. */
  readonly total: number | undefined
}

interface Delegate {
  findMany(args: object): Promise<object[]>
  count(args: object): Promise<number>
}

/** Adds findPage to each model of the client. With `take: 0` only the total is counted. */
export function withFindPage(client: PrismaClient<'query'>) {
  return client.$extends({
    name: 'find-page',
    model: {
      $allModels: {
        async findPage<Model, Args extends PageArgs<Model>>(
          this: Model,
          { total, usesGenericPlan: _, ...args }: Args,
        ): Promise<PageResult<Model, Args>> {
          const delegate = this as unknown as Delegate
          const { where, take } = args as { where?: object; take?: number }
          const [records, count] = await Promise.all([
            take === 0 ? [] : delegate.findMany(args),
            total ? delegate.count({ where }) : undefined,
          ])
          return { records, total: count } as PageResult<Model, Args>
        },
      },
    },
  })
}
