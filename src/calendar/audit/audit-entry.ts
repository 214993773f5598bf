// An entry of the audit log.
import { encodeGlobalID } from '@pothos/plugin-relay'
import type { ChangeAction } from '../../generated/prisma/enums.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { loadRecordById } from '../list/field-loader.ts'
import { enumValues } from '../rules/enums.ts'
import { User } from '../user/type.ts'

export const AuditAction = builder.enumType('AuditAction', {
  description: 'What was done.',
  values: enumValues<ChangeAction>({
    created: 'A record was created.',
    updated: 'A record was updated, also its links and tickets; a user also by credentials.',
    trashed: 'A record was moved to the trash.',
    restored: 'A record was restored from the trash.',
    deleted: 'A record was deleted permanently.',
    signed_in: 'A user signed in: once per hour for each credential, which requests send each time.',
    sign_in_failed: 'Sign-ins failed: once per minute for an address, with their number.',
    exported: 'A command exported records.',
    started: 'The service started with other settings than before.',
  }),
})

export const AuditKind = builder.enumType('AuditKind', {
  description: 'What an entry of the audit log is about.',
  values: enumValues({
    event: 'An event.',
    series: 'A series of events: all of its dates.',
    venue: 'A venue.',
    organizer: 'An organizer.',
    category: 'A category.',
    tag: 'A tag.',
    image: 'An image.',
    user: 'A user: the account, the credentials, and sign-ins.',
    webhook: 'A webhook.',
    site: 'The whole site.',
  }),
})

/** Values of a column, link or setting: before and after. */
type Pair = readonly [before: unknown, after: unknown]

export interface AuditRow {
  readonly id: string
  readonly createdAt: Date
  readonly kind: string
  readonly recordId: number
  readonly action: ChangeAction
  readonly fields: Readonly<Record<string, Pair>>
  readonly userId: number | null
  readonly credentialId: number | null
  readonly source: string | null
  readonly requestId: string | null
  readonly name: string | null
}

const AuditChange = builder.objectRef<readonly [key: string, values: Pair]>('AuditChange').implement({
  description: 'A field that differs.',
  fields: (t) => ({
    field: t.string({
      description:
        'Name of the field. For links, tickets and credentials the kind and the databaseId, such as `venue#12`; for settings the name of the setting.',
      resolve: ([key]) => key.replace(/@[^@]*$/, ''),
    }),
    language: t.string({
      nullable: true,
      description: 'Language of a text.',
      resolve: ([key]) => /@([^@]*)$/.exec(key)?.[1] ?? null,
    }),
    before: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Value before; null for nothing. Secrets and e-mail addresses are `***`.',
      resolve: ([, [before]]) => before,
    }),
    after: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Value after; null for nothing. Secrets and e-mail addresses are `***`.',
      resolve: ([, [, after]]) => after,
    }),
  }),
})

export const AuditEntry = builder.objectRef<AuditRow>('AuditEntry').implement({
  description: 'An entry of the audit log: who did what, and when.',
  fields: (t) => ({
    // A revision of the same change has another ID: Relay takes them for the identities of objects.
    id: t.id({
      description: 'ID of the entry, unique among all records and revisions.',
      resolve: ({ id }) => encodeGlobalID('AuditEntry', id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    action: t.expose('action', { type: AuditAction, description: 'What was done.' }),
    kind: t.field({
      type: AuditKind,
      description: 'What the entry is about.',
      resolve: ({ kind }) => kind as typeof AuditKind.$inferType,
    }),
    databaseId: t.int({
      nullable: true,
      description: 'databaseId of the record; null for none, such as a failed sign-in of an unknown user.',
      resolve: ({ recordId }) => recordId || null,
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Present name or title of the record; null if it was deleted.',
    }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'The user who did it; null for commands, visitors, and users who were deleted.',
      resolve: ({ userId }, _args, context, info) => loadRecordById('user', userId, context, info),
    }),
    userId: t.exposeInt('userId', {
      nullable: true,
      description: 'databaseId of the user who did it, also if the user was deleted.',
    }),
    credentialId: t.exposeInt('credentialId', {
      nullable: true,
      description: 'databaseId of the token or password that the user signed in with.',
    }),
    source: t.exposeString('source', {
      nullable: true,
      description:
        'Through what it was done: `graphql`, `rest`, `page`, `feed`, or a command such as `command import-ics`; null if unknown.',
    }),
    requestId: t.exposeString('requestId', {
      nullable: true,
      description: 'ID of the request, as in the log of requests.',
    }),
    changes: t.field({
      type: [AuditChange],
      description: 'The fields that differ. A new record has none: its later changes say what was before.',
      extensions: complexity({ assumedSize: 5 }),
      // The first start has all settings, later ones those that differ.
      resolve: ({ fields }) =>
        Object.entries(fields).filter(
          ([, [before, after]]) => before === '***' || JSON.stringify(before) !== JSON.stringify(after),
        ),
    }),
  }),
})
