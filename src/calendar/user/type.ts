import { type Permission, rightsOf } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder, nodeId } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { Credential } from '../credential/type.ts'
import { enumValues } from '../rules/enums.ts'
import { ownsOrManages } from '../rules/visibility.ts'
import { siteLanguage } from '../text/served-languages.ts'

export const UserRole = builder.enumType('UserRole', {
  description: 'Role of a user, which determines their rights.',
  values: enumValues({
    administrator: 'Has all rights, including the management of users.',
    editor: 'Writes and publishes records of all authors.',
    author: 'Writes and publishes own records.',
    contributor: 'Writes own records that others publish.',
    subscriber: 'Only reads.',
  }),
})

const UserRight = builder.enumType('UserRight', {
  description: 'A right of a user.',
  values: enumValues({
    write: 'Create records; edit and trash own records that are not published.',
    publish: 'Publish; edit and trash own published records.',
    editOthers: 'Read, edit and trash records of other authors.',
    upload: 'Add images.',
    manageCategories: 'Create, update and delete categories.',
    manageTags: 'Create, update and delete tags.',
    purge: 'Delete records permanently.',
    manageUsers: 'Create, update and delete users and their credentials.',
  } satisfies Readonly<Record<Permission, string>>),
})

const ownAccountOnly = 'Null except for the user themselves and administrators.'
const newestLast = { orderBy: { id: 'asc' } } as const

/** A resolver that returns null unless the viewer is the user or an administrator. */
const ifOwn =
  <Row extends { id: number }, Value>(read: (user: Row, context: Context) => Value) =>
  (user: Row, _args: object, context: Context): Value | null =>
    ownsOrManages(context, user.id) ? read(user, context) : null

export const User = builder.prismaNode('User', {
  id: nodeId,
  nullable: true,
  description: 'A user, who may be the author of records.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among users.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    login: t.string({
      nullable: true,
      description: `Name to sign in with. ${ownAccountOnly}`,
      select: { login: true },
      resolve: ifOwn((user) => user.login),
    }),
    email: t.string({
      nullable: true,
      description: `E-mail address, if known. ${ownAccountOnly}`,
      select: { email: true },
      resolve: ifOwn((user) => user.email),
    }),
    role: t.field({
      type: UserRole,
      nullable: true,
      description: `Role of the user. ${ownAccountOnly}`,
      select: { role: true },
      resolve: ifOwn((user) => user.role),
    }),
    rights: t.field({
      type: [UserRight],
      nullable: true,
      description: `Rights of the role. ${ownAccountOnly}`,
      select: { role: true },
      resolve: ifOwn((user) => rightsOf(user.role)),
    }),
    locale: t.field({
      type: LanguageCode,
      nullable: true,
      description: `Preferred language; null also if there is none, or the site no longer has it. ${ownAccountOnly}`,
      select: { locale: true },
      resolve: ifOwn((user, context) => siteLanguage(user.locale, context)),
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: `When the account was created. ${ownAccountOnly}`,
      select: { createdAt: true },
      resolve: ifOwn((user) => user.createdAt),
    }),
    credentials: t.field({
      type: [Credential],
      nullable: true,
      description: `Credentials of the user, including revoked ones. ${ownAccountOnly}`,
      select: (_args, _context, nested) => ({ credentials: nested(newestLast) }),
      resolve: (user, _args, context) => (ownsOrManages(context, user.id) ? user.credentials : null),
    }),
  }),
})
