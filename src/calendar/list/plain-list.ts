// Lists of records without texts, such as users and images: their order is that of columns and the same in every language.
import { queryFromInfo } from '@pothos/plugin-prisma'
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../service/context.ts'
import { between, orderBy, type SortKey } from '../../service/graphql/keyset.ts'
import {
  type Connection,
  cursorSlice,
  type Page,
  type PageArgs,
  selectedParts,
  slice,
  toConnection,
  toPage,
} from '../../service/graphql/pagination.ts'
import { nodePaths } from './pages.ts'
import { delegateOf } from './records.ts'

interface PlainList {
  readonly kind: 'image' | 'user'
  readonly where: object
  readonly order: readonly SortKey[]
}

export async function plainConnection<Node extends object>(
  { kind, where, order }: PlainList,
  args: DefaultConnectionArguments,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Connection<Node>> {
  const page = cursorSlice(args, context.settings)
  const parts = selectedParts(info)
  const { select } = queryFromInfo({ context, info, ...nodePaths }) as { select: object }
  const sortColumns = Object.fromEntries(order.map(({ column }) => [column, true]))
  const { records, total } = await delegateOf(context, kind).findPage({
    select: { ...select, ...sortColumns },
    where,
    pageWhere: { AND: between(order, page) },
    orderBy: orderBy(order, page.inverted),
    take: parts.rows ? page.limit : 0,
    total: parts.total,
  })
  return toConnection(page, order, { rows: records, total, keysOf: (row) => row, node: (row) => row as Node })
}

export function plainPage<Node extends object>(
  { kind, where, order }: PlainList,
  args: PageArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Page<Node> {
  const position = slice(args, context.settings)
  const query = queryFromInfo({ context, info, path: ['items'] })
  const records = delegateOf(context, kind)
  const page = { ...query, where, orderBy: orderBy(order, false), skip: position.skip, take: position.take }
  return toPage(
    position,
    async () => (await records.findMany(page)) as Node[],
    () => records.count({ where }),
  )
}
