import { notFoundError, signInRequiredError, unauthenticatedError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { mutateAccounts } from '../lifecycle/mutation.ts'
import {
  addRecordPayloadType,
  deletedDatabaseIdField,
  deletedGlobalIdField,
  Payload,
  type WriteResult,
} from '../lifecycle/payload.ts'
import { idDescription, parseReferenceId, requireRecordId } from '../rules/identify.ts'
import {
  checkAccount,
  checkAnotherAdministrator,
  checkLastingAccess,
  createUser,
  reassignRecords,
  throwIfLoginTaken,
} from './account.ts'
import { User, UserRole } from './type.ts'

const CreateUserInput = builder.inputType('CreateUserInput', {
  description: 'A new user.',
  fields: (t) => ({
    login: t.string({ required: true, description: 'Name to sign in with, without colon and not case-sensitive.' }),
    name: t.string({ required: true, description: 'Display name.' }),
    email: t.string({ description: 'E-mail address.' }),
    role: t.field({ type: UserRole, required: true, description: 'Role of the user.' }),
  }),
})

const UpdateUserInput = builder.inputType('UpdateUserInput', {
  description: 'Changes to a user. Fields that the input omits stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('user') }),
    login: t.string({ description: 'Name to sign in with, without colon and not case-sensitive.' }),
    name: t.string({ description: 'Display name.' }),
    email: t.string({ description: 'E-mail address; null removes it.' }),
    role: t.field({ type: UserRole, description: 'Role of the user.' }),
  }),
})

const UpdateViewerInput = builder.inputType('UpdateViewerInput', {
  description: 'Changes to your own account. Fields that the input omits stay unchanged.',
  fields: (t) => ({
    name: t.string({ description: 'Display name; null leaves it unchanged.' }),
    locale: t.field({ type: LanguageCode, description: 'Preferred language of the user; null for no preference.' }),
  }),
})

const DeleteUserInput = builder.inputType('DeleteUserInput', {
  description: 'Identifies the user to delete.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('user') }),
    contentTo: t.id({
      description: `The user who becomes the author of the records of the deleted user. ${idDescription('user')} Required if the user is the author of records.`,
    }),
  }),
})

export const UserPayload = addRecordPayloadType('user', User)

const DeleteUserPayload = builder
  .objectRef<WriteResult & { readonly records?: number }>('DeleteUserPayload')
  .implement({
    description: 'Result of deleting a user.',
    interfaces: [Payload],
    fields: (t) => ({
      id: t.id(deletedGlobalIdField(() => 'user')),
      databaseId: t.int(deletedDatabaseIdField),
      recordsHandedOver: t.int({
        nullable: true,
        description: 'Number of events, venues, organizers and images that have a new author.',
        resolve: ({ records }) => records ?? null,
      }),
    }),
  })

builder.mutationFields((t) => ({
  createUser: t.field({
    type: UserPayload,
    description:
      'Creates a user, who needs a credential to sign in (`createApplicationPassword`, `createApiToken`). For administrators.',
    args: { input: t.arg({ type: CreateUserInput, required: true, description: 'Identifies the user.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(context, async (tx) => {
        checkLastingAccess(requirePermission(context.viewer, 'manageUsers'), input)
        return createUser(tx, input, context.importing)
      }),
  }),
  updateUser: t.field({
    type: UserPayload,
    description: 'Updates a user. The last administrator must keep the role ADMINISTRATOR. For administrators.',
    args: { input: t.arg({ type: UpdateUserInput, required: true, description: 'Changes to the user.' }) },
    resolve: (_root, { input: { id: user, role, ...account } }, context) =>
      mutateAccounts(context, async (tx) => {
        const viewer = requirePermission(context.viewer, 'manageUsers')
        const id = requireRecordId('user', user)
        const { fields } = await checkAll({
          role: () => role && role !== 'administrator' && checkAnotherAdministrator(tx, id, 'role'),
          fields: () => checkAccount(tx, account, id),
          access: () => checkLastingAccess(viewer, { email: account.email, role }),
        })
        const data = { ...fields, ...(role ? { role } : {}) }
        if ((await tx.user.count({ where: { id } })) === 0) throw notFoundError('user', 'id')
        return throwIfLoginTaken(tx.user.update({ where: { id }, data, select: { id: true } }))
      }),
  }),
  updateViewer: t.field({
    type: UserPayload,
    description: 'Updates the account of the signed-in user. For every role.',
    args: { input: t.arg({ type: UpdateViewerInput, required: true, description: 'Changes to the user.' }) },
    resolve: (_root, { input: { name, locale } }, context) =>
      mutateAccounts(context, async (tx) => {
        if (!context.viewer) throw signInRequiredError()
        const { id } = context.viewer
        const data = { ...(await checkAccount(tx, { name }, id)), locale }
        const { count } = await tx.user.updateMany({ where: { id }, data })
        // The user was deleted by a concurrent request.
        if (count === 0) throw unauthenticatedError()
        return { id }
      }),
  }),
  deleteUser: t.field({
    type: DeleteUserPayload,
    description:
      'Deletes a user and the credentials of the user. The last administrator cannot be deleted. For administrators.',
    args: { input: t.arg({ type: DeleteUserInput, required: true, description: 'Identifies the user.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(context, async (tx) => {
        requirePermission(context.viewer, 'manageUsers')
        const id = requireRecordId('user', input.id)
        const { records } = await checkAll({
          administrator: () => checkAnotherAdministrator(tx, id, 'id'),
          records: () => reassignRecords(tx, id, parseReferenceId('user', input.contentTo, 'contentTo') ?? undefined),
        })
        await tx.user.delete({ where: { id } })
        return { id, records }
      }),
  }),
}))
