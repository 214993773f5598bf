import { notFound } from '../../errors.ts'
import { builder } from '../../graphql/builder.ts'
import { requireRight } from '../rights.ts'
import { accountFields, handOver, keepAnAdministrator, unlessTaken } from './account.ts'
import { User, UserRole } from './type.ts'

const CreateUserInput = builder.inputType('CreateUserInput', {
  description: 'A new user.',
  fields: (t) => ({
    login: t.string({ required: true, description: 'Name to sign in with, without colon; its case does not matter.' }),
    name: t.string({ required: true, description: 'Name to show.' }),
    email: t.string({ description: 'E-mail address.' }),
    role: t.field({ type: UserRole, required: true, description: 'What the user may do.' }),
  }),
})

const UpdateUserInput = builder.inputType('UpdateUserInput', {
  description: 'Changes to a user; what is not given stays.',
  fields: (t) => ({
    id: t.int({ required: true, description: 'Number of the user.' }),
    login: t.string({ description: 'Name to sign in with, without colon; its case does not matter.' }),
    name: t.string({ description: 'Name to show.' }),
    email: t.string({ description: 'E-mail address; null forgets it.' }),
    role: t.field({ type: UserRole, description: 'What the user may do.' }),
  }),
})

const DeleteUserInput = builder.inputType('DeleteUserInput', {
  description: 'A user to delete.',
  fields: (t) => ({
    id: t.int({ required: true, description: 'Number of the user.' }),
    contentTo: t.int({ description: 'Number of the user who gets what this one wrote; needed if there is anything.' }),
  }),
})

const UserPayload = builder.objectRef<{ readonly id: number }>('UserPayload').implement({
  description: 'The user as it is now.',
  fields: (t) => ({
    user: t.prismaField({
      type: User,
      description: 'The user.',
      resolve: (query, { id }, _args, { db }) => db.user.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
})

const DeletedUser = builder
  .objectRef<{ readonly id: number; readonly records: number }>('DeleteUserPayload')
  .implement({
    description: 'What was deleted.',
    fields: (t) => ({
      databaseId: t.exposeInt('id', { description: 'Number that the user had.' }),
      recordsHandedOver: t.exposeInt('records', {
        description: 'Events, venues, organizers and images that have a new author.',
      }),
    }),
  })

builder.mutationFields((t) => ({
  createUser: t.field({
    type: UserPayload,
    description: 'Adds a user, who signs in with credentials made next. For administrators.',
    args: { input: t.arg({ type: CreateUserInput, required: true, description: 'The user.' }) },
    resolve: (_root, { input: { role, ...account } }, context) => {
      requireRight(context.viewer, 'manageUsers')
      const { login = '', name = '', email } = accountFields(account)
      return unlessTaken(context.db.user.create({ data: { login, name, email, role }, select: { id: true } }))
    },
  }),
  updateUser: t.field({
    type: UserPayload,
    description: 'Changes a user. The last administrator stays one. For administrators.',
    args: { input: t.arg({ type: UpdateUserInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input: { id, role, ...account } }, context) => {
      requireRight(context.viewer, 'manageUsers')
      const data = { ...accountFields(account), ...(role ? { role } : {}) }
      return unlessTaken(
        context.db.$transaction(async (tx) => {
          if (role && role !== 'administrator') await keepAnAdministrator(tx, id)
          if ((await tx.user.count({ where: { id } })) === 0) throw notFound('user', 'id')
          return tx.user.update({ where: { id }, data, select: { id: true } })
        }),
      )
    },
  }),
  deleteUser: t.field({
    type: DeletedUser,
    description: 'Deletes a user and their credentials. The last administrator stays. For administrators.',
    args: { input: t.arg({ type: DeleteUserInput, required: true, description: 'The user.' }) },
    resolve: (_root, { input: { id, contentTo } }, context) => {
      requireRight(context.viewer, 'manageUsers')
      return context.db.$transaction(async (tx) => {
        await keepAnAdministrator(tx, id)
        const records = await handOver(tx, id, contentTo ?? undefined)
        await tx.user.delete({ where: { id } })
        return { id, records }
      })
    },
  }),
}))
