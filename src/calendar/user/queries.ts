import { queryFromInfo } from '@pothos/plugin-prisma'
import { forbiddenError, notFoundError, signInRequiredError } from '../../basics/errors.ts'
import { escapeLikePattern } from '../../engine/postgres/query.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import { builder } from '../../service/graphql/builder.ts'
import { searchComplexity } from '../../service/graphql/limits/complexity.ts'
import type { ListOrder } from '../list/list-query.ts'
import { addListQueries } from '../list/record-queries.ts'
import { idDescription, requireRecordId } from '../rules/identify.ts'
import { ownsOrManagesUser } from '../rules/visibility.ts'
import { User, UserRole } from './type.ts'

const UserFilter = builder.inputType('UserFilter', {
  description: 'Selects users. Criteria combine with AND.',
  fields: (t) => ({
    role: t.field({ type: UserRole, description: 'Only users with this role.' }),
    search: t.string({
      description: 'Only users whose name, login or e-mail address contains this text.',
      extensions: searchComplexity,
    }),
  }),
})

function usersWhere({ role, search }: typeof UserFilter.$inferInput): Prisma.UserWhereInput {
  const filters: Prisma.UserWhereInput[] = []
  if (role) filters.push({ role })
  if (search) {
    // PostgreSQL rejects NUL.
    const part = { contains: escapeLikePattern(search.replaceAll('\0', '')), mode: 'insensitive' } as const
    filters.push({ OR: [{ name: part }, { login: part }, { email: part }] })
  }
  return { AND: filters }
}

const oldestFirst: ListOrder = { keys: [{ column: 'id', type: 'integer' }] }

builder.queryFields((t) => ({
  // Not a prismaField, which would have to run its Prisma query for visitors, too.
  viewer: t.field({
    type: User,
    nullable: true,
    description: 'The signed-in user; null for a request without a credential.',
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
      if (!context.viewer) throw signInRequiredError()
      const id = requireRecordId('user', args.id)
      if (!ownsOrManagesUser(context, id)) throw forbiddenError('Reading other users requires the role ADMINISTRATOR.')
      const user = await context.reads.user.findUnique({ ...query, where: { id } })
      if (user) return user
      throw notFoundError('user', 'id')
    },
  }),
}))

addListQueries('user', {
  type: User,
  filter: UserFilter,
  description: 'Users in the order of their IDs. For administrators.',
  permit: ({ viewer }) => requirePermission(viewer, 'manageUsers'),
  list: async ({ filter }) => ({ where: usersWhere(filter ?? {}), order: oldestFirst }),
})
