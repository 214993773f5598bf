import { may, type Permission } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import { builder } from '../../graphql/builder.ts'
import { Credential } from '../credential/type.ts'
import { ownsOrManages } from './visibility.ts'

export const UserRole = builder.enumType('UserRole', {
  description: 'What a user may do.',
  values: {
    ADMINISTRATOR: { value: 'administrator', description: 'Everything, and manages users.' },
    EDITOR: { value: 'editor', description: 'Writes and publishes everything, whoever wrote it.' },
    AUTHOR: { value: 'author', description: 'Writes and publishes own records.' },
    CONTRIBUTOR: { value: 'contributor', description: 'Writes own records that others publish.' },
    SUBSCRIBER: { value: 'subscriber', description: 'Reads.' },
  } as const,
})

const UserRight = builder.enumType('UserRight', {
  description: 'One thing that a user may do.',
  values: {
    WRITE: { value: 'write', description: 'Create records, and change and trash own ones that are not published.' },
    PUBLISH: { value: 'publish', description: 'Publish, and change and trash own published records.' },
    EDIT_OTHERS: { value: 'editOthers', description: 'Read, change and trash what others wrote.' },
    UPLOAD: { value: 'upload', description: 'Add images.' },
    MANAGE_CATEGORIES: { value: 'manageCategories', description: 'Create, change and delete categories.' },
    MANAGE_TAGS: { value: 'manageTags', description: 'Create, change and delete tags.' },
    PURGE: { value: 'purge', description: 'Delete for good.' },
    MANAGE_USERS: { value: 'manageUsers', description: 'Create, change and delete users and their credentials.' },
  } satisfies Readonly<Record<string, { value: Permission; description: string }>>,
})

const rights: readonly Permission[] = [
  ...(['write', 'publish', 'editOthers', 'upload'] as const),
  ...(['manageCategories', 'manageTags', 'purge', 'manageUsers'] as const),
]

const hidden = 'Null but for the user and administrators.'
const newestLast = { orderBy: { id: 'asc' } } as const

/** A resolver that answers null to whom the user's account is nobody's business. */
const ifOwn =
  <Row extends { id: number }, Value>(read: (user: Row) => Value) =>
  (user: Row, _args: object, context: Context): Value | null =>
    ownsOrManages(context, user.id) ? read(user) : null

export const User = builder.prismaObject('User', {
  description: 'Somebody who writes here.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Number of the user.' }),
    name: t.exposeString('name', { description: 'Name to show.' }),
    login: t.string({
      nullable: true,
      description: `Name to sign in with. ${hidden}`,
      select: { login: true },
      resolve: ifOwn((user) => user.login),
    }),
    email: t.string({
      nullable: true,
      description: `E-mail address, if known. ${hidden}`,
      select: { email: true },
      resolve: ifOwn((user) => user.email),
    }),
    role: t.field({
      type: UserRole,
      nullable: true,
      description: `What the user may do. ${hidden}`,
      select: { role: true },
      resolve: ifOwn((user) => user.role),
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: `When the account was made. ${hidden}`,
      select: { createdAt: true },
      resolve: ifOwn((user) => user.createdAt),
    }),
    credentials: t.field({
      type: [Credential],
      nullable: true,
      description: `What the user signs in with, revoked ones too. ${hidden}`,
      select: (_args, _context, nested) => ({ credentials: nested(newestLast) }),
      resolve: (user, _args, context) => (ownsOrManages(context, user.id) ? user.credentials : null),
    }),
  }),
})

export const Viewer = builder.prismaObject('User', {
  variant: 'Viewer',
  description: 'Who asks, and what they may do.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Number of the user.' }),
    login: t.exposeString('login', { description: 'Name to sign in with.' }),
    name: t.exposeString('name', { description: 'Name to show.' }),
    email: t.exposeString('email', { nullable: true, description: 'E-mail address, if known.' }),
    role: t.expose('role', { type: UserRole, description: 'What the user may do.' }),
    rights: t.field({
      type: [UserRight],
      description: 'The same, one by one.',
      resolve: (_user, _args, { viewer }) => rights.filter((right) => may(viewer, right)),
    }),
    credentials: t.relation('credentials', {
      description: 'What the user signs in with, revoked ones too.',
      query: newestLast,
    }),
  }),
})
