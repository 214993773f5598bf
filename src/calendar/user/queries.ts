import { queryFromInfo } from '@pothos/plugin-prisma'
import { forbidden, notFound, signInRequired } from '../../basics/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity, searchComplexity } from '../../service/graphql/limits/complexity.ts'
import { atMost } from '../../service/graphql/page-size.ts'
import { type Page, PageInterface, slice, totalCount } from '../../service/graphql/pagination.ts'
import { selectionOf } from '../../service/graphql/record-selection.ts'
import type { ListOrder } from '../list/list-query.ts'
import { connectionsOf, nodePaths, pageOf } from '../list/pages.ts'
import { idDescription, requireId } from '../rules/identify.ts'
import { ownsOrManages } from '../rules/visibility.ts'
import { User, UserRole } from './type.ts'

const UserFilter = builder.inputType('UserFilter', {
  description: 'Selects users. Criteria combine with AND.',
  fields: (t) => ({
    role: t.field({ type: UserRole, description: 'Only users with this role.' }),
    search: t.string({
      description: 'Part of the name, the login or the e-mail address.',
      extensions: searchComplexity,
    }),
  }),
})

function usersWhere({ role, search }: typeof UserFilter.$inferInput): Prisma.UserWhereInput {
  const filters: Prisma.UserWhereInput[] = []
  if (role) filters.push({ role })
  if (search) {
    // PostgreSQL rejects NUL; the other characters are wildcards of LIKE.
    const contains = search.replaceAll('\0', '').replace(/[\\%_]/g, '\\$&')
    const part = { contains, mode: 'insensitive' } as const
    filters.push({ OR: [{ name: part }, { login: part }, { email: part }] })
  }
  return { AND: filters }
}

const UserPage = builder.objectRef<Page<typeof User.$inferType>>('UserPage').implement({
  description: 'A numbered page of users.',
  interfaces: [PageInterface],
  fields: (t) => ({
    items: t.field({ type: [User], description: 'The users of the page.', resolve: (page) => page.items() }),
  }),
})

const oldestFirst: ListOrder = { keys: [{ column: 'id', type: 'integer' }] }

builder.queryFields((t) => ({
  // A prismaField must use its query, also for visitors.
  viewer: t.field({
    type: User,
    nullable: true,
    description: 'The signed-in user; null without a credential.',
    resolve: (_root, _args, context, info) =>
      context.viewer
        ? context.reads.user.findUnique({ ...queryFromInfo({ context, info }), where: { id: context.viewer.id } })
        : null,
  }),
  user: t.prismaField({
    type: User,
    description: 'A user by ID. For administrators; other users can read themselves.',
    args: { id: t.arg.id({ required: true, description: idDescription('user') }) },
    resolve: async (query, _root, args, context) => {
      if (!context.viewer) throw signInRequired()
      const id = requireId('user', args.id)
      if (!ownsOrManages(context, id)) throw forbidden('Reading other users requires the role ADMINISTRATOR.')
      const user = await context.reads.user.findUnique({ ...query, where: { id } })
      if (user) return user
      throw notFound('user', 'id')
    },
  }),
  users: t.connection(
    {
      type: User,
      description: 'Users in the order of their IDs. For administrators.',
      extensions: complexity({ slicingArguments: ['first', 'last'] }),
      args: { filter: t.arg({ type: UserFilter, description: 'Selects the users.' }) },
      resolve: async (_root, args, context, info) => {
        requirePermission(context.viewer, 'manageUsers')
        const selection = selectionOf(context, info, nodePaths)
        const list = { where: usersWhere(args.filter ?? {}), order: oldestFirst, selection }
        const [connection] = await connectionsOf<typeof User.$inferType>(context, 'user', list, args, info)
        return connection
      },
    },
    {
      name: 'UserConnection',
      description: 'A list of users with cursors.',
      fields: (field) => ({ totalCount: field.int(totalCount) }),
    },
    { name: 'UserEdge', description: 'A user in a list.' },
  ),
  usersPage: t.field({
    type: UserPage,
    description: 'The list `users` with page numbers instead of cursors.',
    extensions: complexity({ slicingArguments: ['perPage'] }),
    args: {
      page: t.arg.int({ description: 'Page number, from 1.' }),
      perPage: t.arg.int({ description: `Number of users on a page. ${atMost}` }),
      filter: t.arg({ type: UserFilter, description: 'Selects the users.' }),
    },
    resolve: (_root, args, context, info) => {
      requirePermission(context.viewer, 'manageUsers')
      const selection = selectionOf(context, info, { path: ['items'] })
      const list = { where: usersWhere(args.filter ?? {}), order: oldestFirst, selection }
      return pageOf<typeof User.$inferType>(context, 'user', list, slice(args, context.settings), info)
    },
  }),
}))
