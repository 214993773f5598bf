import type { Prisma } from '../../generated/prisma/client.ts'
import { type Permission, permissionsOf } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder, nodeIdOptions } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { Credential } from '../credential/type.ts'
import { enumValues } from '../rules/enums.ts'
import { ownsOrManagesUser } from '../rules/visibility.ts'
import { toSiteLanguage } from '../text/served-languages.ts'

export const UserRole = builder.enumType('UserRole', {
  description: 'Role of a user, which determines the rights of the user.',
  values: enumValues({
    administrator: 'Has all rights, including the management of users.',
    editor: 'Writes and publishes records of all authors.',
    author: 'Writes and publishes own records.',
    contributor: 'Writes own records, which must be published by an editor or administrator.',
    subscriber: 'Reads, and writes nothing.',
  }),
})

const UserRight = builder.enumType('UserRight', {
  description: 'A right, which a role gives to its users.',
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

const ownAccountOnly = 'Null unless the viewer is this user or an administrator.'
const newestLast = { orderBy: { id: 'asc' } } as const

type UserRow = Prisma.UserGetPayload<object>

/** Options of a field that is null unless the viewer is the user or an administrator. */
const own = <Column extends keyof UserRow, Result = UserRow[Column]>(
  column: Column,
  description: string,
  read: (value: UserRow[Column], context: Context) => Result = (value) => value as Result,
) => ({
  nullable: true as const,
  description: `${description} ${ownAccountOnly}`,
  select: { [column]: true } as Record<Column, true>,
  resolve: (user: Pick<UserRow, Column | 'id'>, _args: object, context: Context) =>
    ownsOrManagesUser(context, user.id) ? read(user[column], context) : null,
})

export const User = builder.prismaNode('User', {
  id: nodeIdOptions,
  nullable: true,
  description: 'A user, who may be the author of records.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among users.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    login: t.string(own('login', 'Name to sign in with.')),
    email: t.string(own('email', 'E-mail address, if known.')),
    role: t.field({ type: UserRole, ...own('role', 'Role of the user.') }),
    rights: t.field({ type: [UserRight], ...own('role', 'Rights of the role.', permissionsOf) }),
    locale: t.field({
      type: LanguageCode,
      ...own('locale', 'Preferred language; null if unset or no longer a language of the site.', toSiteLanguage),
    }),
    createdAt: t.field({ type: 'DateTime', ...own('createdAt', 'When the account was created.') }),
    credentials: t.field({
      type: [Credential],
      nullable: true,
      description: `Credentials of the user, including revoked ones. ${ownAccountOnly}`,
      select: (_args, _context, nested) => ({ credentials: nested(newestLast) }),
      resolve: (user, _args, context) => (ownsOrManagesUser(context, user.id) ? user.credentials : null),
    }),
  }),
})
