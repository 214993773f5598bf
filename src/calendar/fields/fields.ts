// Pothos options of fields that several kinds of records share.
import type { GraphQLResolveInfo } from 'graphql'
import { takesInfo } from '../../engine/execution/record-resolvers.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import type { PostKind, TermKind } from '../../kinds.ts'
import { may, mayEdit, mayManageTerms, type OwnedRecord } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { longTextComplexity } from '../../service/graphql/limits/complexity.ts'
import { type RecordContext, recordResolver } from '../../service/graphql/record-resolver.ts'
import { loadTranslations } from '../list/translations.ts'
import { RecordStatus } from '../rules/enums.ts'
import { icalendarUrl, pageUrl } from '../rules/page-url.ts'
import { isLocked, type LockableRecord, lockColumns, ownerColumns } from '../rules/record-password.ts'
import { effectiveStatus } from '../rules/status.ts'
import { languagesTypeOf, type ServedLanguages, toSiteLanguage } from '../text/served-languages.ts'
import { getServedText, type ServedRow, selectServedSlug, selectServedText } from '../text/served-text.ts'
import { Translation } from '../text/translation-type.ts'
import { lockableHtmlField, lockableTextField, nullWhileLockedNote } from './lockable.ts'

type Args = object

const textFields = {
  contentLanguage: {
    type: LanguageCode,
    description: 'Language of the operation. `languages` says which texts are in another language.',
    select: { id: true as const },
    resolve: recordResolver((_row: object, { language }) => language),
  },
  name: {
    select: (_args: Args, context: Context) => selectServedText(context, 'name'),
    resolve: recordResolver((row: ServedRow<'name'>) => getServedText(row, 'name')),
  },
  slug: {
    description: 'Name in URLs, unique within the kind of record; empty for a draft without a slug.',
    select: (_args: Args, context: Context) => selectServedText(context, 'slug'),
    resolve: recordResolver((row: ServedRow<'slug'>) => getServedText(row, 'slug')),
  },
}

/** Columns of a date of a series, whose day is a part of its URL. Other posts have none of them. */
interface SeriesDateRow {
  readonly seriesId?: number | null
  readonly startsLocal?: Date
  readonly dayNumber?: number
}

type PostUrlRow = ServedRow<'slug' | 'source'> & SeriesDateRow & { readonly id: number; readonly status: Status }

/** The parts of a URL that tell a date of a series from the others: its day, and its number among those of this day. */
const datePath = ({ seriesId, startsLocal, dayNumber = 1 }: SeriesDateRow): string[] =>
  seriesId == null || !startsLocal
    ? []
    : [startsLocal.toISOString().slice(0, 10), ...(dayNumber > 1 ? [String(dayNumber)] : [])]

/** The URL of a post. A series is read as one of its dates; its URL has no `date`. */
export const postUrl = (kind: PostKind, row: PostUrlRow, context: RecordContext, date = datePath(row)): string =>
  // Another record may use the slug of a trashed record.
  pageUrl(context, kind, [row.status === 'trash' ? '' : getServedText(row, 'slug'), ...date], {
    id: row.id,
    source: getServedText(row, 'source'),
  })

const dateColumns = { seriesId: true, startsLocal: true, dayNumber: true }

export const selectPostUrl = (kind: PostKind) => (_args: Args, context: Context) => ({
  id: true as const,
  status: true as const,
  // Only events have these columns.
  ...((kind === 'event' ? dateColumns : {}) as object),
  ...selectServedSlug(context),
})

interface LanguageArgs {
  readonly language: string
}

async function translationIn({ language }: LanguageArgs, ...record: Parameters<typeof loadTranslations>) {
  return (await loadTranslations(...record)).find((text) => text.language === language) ?? null
}

/** Languages of the name, the description and the excerpt in the row of text that is returned. */
type Sources = ServedRow<'source'> & {
  readonly texts: readonly { readonly descriptionSource: string | null; readonly excerptSource?: string | null }[]
}

function servedLanguages(row: Sources, context: RecordContext, locked = false): ServedLanguages {
  const [text] = row.texts
  return {
    tag: getServedText(row, 'source'),
    name: toSiteLanguage(text?.source, context),
    description: locked ? null : toSiteLanguage(text?.descriptionSource, context),
    excerpt: locked ? null : toSiteLanguage(text?.excerptSource, context),
  }
}

const describeLanguages = 'Language of each text of the record.'
const translationExtensions = { ...longTextComplexity, [takesInfo]: true }

/** Options of the GraphQL fields that events, venues and organizers have. */
export const postFieldOptions = {
  ...textFields,
  slug: {
    ...textFields.slug,
    select: (_args: Args, context: Context) => ({ status: true as const, ...selectServedText(context, 'slug') }),
    /** Returns the slug of a trashed record with a suffix, because other records may use the slug (contract c.12). */
    resolve: recordResolver((row: ServedRow<'slug'> & { status: Status }) => {
      const slug = getServedText(row, 'slug')
      return row.status === 'trash' && slug !== '' ? `${slug}__trashed` : slug
    }),
  },
  url: (kind: PostKind) => ({
    type: 'URL' as const,
    description: `HTML page of the ${kind}.`,
    select: selectPostUrl(kind),
    resolve: recordResolver((row: PostUrlRow, context) => postUrl(kind, row, context)),
  }),
  icalendarUrl: (kind: PostKind) => ({
    type: 'URL' as const,
    nullable: true as const,
    description: `${kind === 'event' ? 'iCalendar file of the event' : `iCalendar feed of the events of the ${kind}`}, to subscribe to; null without a slug.`,
    select: selectPostUrl(kind),
    resolve: recordResolver((row: PostUrlRow, context) => icalendarUrl(postUrl(kind, row, context), context)),
  }),
  languages: (kind: PostKind) => ({
    type: languagesTypeOf(kind),
    description: describeLanguages,
    select: (_args: Args, { language }: Context) => ({
      ...lockColumns,
      texts: {
        where: { language },
        select: { source: true as const, descriptionSource: true as const, excerptSource: true as const },
      },
    }),
    resolve: recordResolver((row: LockableRecord & Sources, context) =>
      servedLanguages(row, context, isLocked(row, context)),
    ),
  }),
  translations: (kind: PostKind) => ({
    type: [Translation] as [typeof Translation],
    description: 'The texts that clients wrote, by language. Empty while the record is locked.',
    extensions: translationExtensions,
    select: lockColumns,
    resolve: (row: LockableRecord, _args: Args, context: Context, info: GraphQLResolveInfo) =>
      isLocked(row, context) ? [] : loadTranslations(context, kind, row.id, info),
  }),
  translation: (kind: PostKind) => ({
    type: Translation,
    nullable: true as const,
    description: `The texts that clients wrote in this language; null if there are no such texts. ${nullWhileLockedNote}`,
    extensions: translationExtensions,
    select: lockColumns,
    resolve: (row: LockableRecord, args: LanguageArgs, context: Context, info: GraphQLResolveInfo) =>
      isLocked(row, context) ? null : translationIn(args, context, kind, row.id, info),
  }),
  description: lockableTextField('description', 'Description: HTML, or text with blank lines between paragraphs.'),
  descriptionHtml: lockableHtmlField('description', 'The description as HTML: line breaks become `<p>` and `<br>`.'),
  excerpt: lockableTextField('excerpt', 'A short description, as stored.'),
  excerptHtml: lockableHtmlField('excerpt', 'The excerpt as HTML: line breaks become `<p>` and `<br>`.'),
  status: {
    type: RecordStatus,
    description: 'Whether the record is published; `eventStatus` says whether an event takes place.',
    select: { status: true as const, publishedAt: true as const },
    resolve: recordResolver((row: { status: Status; publishedAt: Date }, context) => effectiveStatus(row, context)),
  },
  locked: {
    description:
      'Whether fields are withheld because the record has a password and the operation does not send it (`@inContext(password:)`).',
    select: { ...lockColumns },
    resolve: recordResolver((row: LockableRecord, context) => isLocked(row, context)),
  },
}

export const postPermissionFieldOptions = {
  viewerCanUpdate: {
    description:
      'Whether you may update the record, move it to the trash and restore it. To update a record in the trash, restore the record first, or set another status with the update.',
    select: ownerColumns,
    resolve: recordResolver((row: OwnedRecord, { viewer }) => mayEdit(viewer, row)),
  },
  viewerCanDelete: {
    description: 'Whether you may delete the record permanently.',
    select: { id: true as const },
    resolve: recordResolver((_row: object, { viewer }) => may(viewer, 'purge')),
  },
  hasPassword: {
    nullable: true as const,
    description: 'Whether the record has a password. Null unless you may update the record.',
    select: lockColumns,
    resolve: recordResolver((row: LockableRecord, { viewer }) =>
      mayEdit(viewer, row) ? row.passwordKey !== null : null,
    ),
  },
}

export function termPermissionFields(kind: TermKind) {
  const mayManage = recordResolver((_row: object, { viewer }) => mayManageTerms(viewer, kind))
  const select = { id: true as const }
  return {
    viewerCanUpdate: { description: 'Whether you may update the record.', select, resolve: mayManage },
    viewerCanDelete: { description: 'Whether you may delete the record.', select, resolve: mayManage },
  }
}

type WithDetails<Column extends string> = LockableRecord &
  ServedRow<'description' | 'excerpt'> & { readonly imageId: number | null } & { readonly [column in Column]: string }

/**
 * The `withheldFields` field of venues and organizers: the REST API shows these fields as empty texts (contract c.15).
 * `columns` are the lockable columns of the kind.
 */
export const withheldFields = <Column extends string>(columns: readonly Column[]) => ({
  description: 'Names of the fields that have a value and are null because the record is locked.',
  select: (_args: Args, { language }: Context) => ({
    ...lockColumns,
    imageId: true as const,
    texts: { where: { language }, select: { description: true as const, excerpt: true as const } },
    ...(Object.fromEntries(columns.map((column) => [column, true])) as Record<Column, true>),
  }),
  resolve: recordResolver((row: WithDetails<Column>, context): string[] => {
    if (!isLocked(row, context)) return []
    const texts = (['description', 'excerpt'] as const).filter((column) => getServedText(row, column).trim() !== '')
    const image = row.imageId === null ? [] : ['image']
    return [...texts, ...image, ...columns.filter((column) => row[column] !== '')]
  }),
})

/** Options of the GraphQL fields that categories and tags have. */
export const termFieldOptions = {
  ...textFields,
  languages: (kind: TermKind) => ({
    type: languagesTypeOf(kind),
    description: describeLanguages,
    select: (_args: Args, { language }: Context) => ({
      texts: { where: { language }, select: { source: true as const, descriptionSource: true as const } },
    }),
    resolve: recordResolver((row: Sources, context) => servedLanguages(row, context)),
  }),
  translations: (kind: TermKind) => ({
    type: [Translation] as [typeof Translation],
    description: 'The texts that clients wrote, by language.',
    extensions: translationExtensions,
    resolve: ({ id }: { id: number }, _args: Args, context: Context, info: GraphQLResolveInfo) =>
      loadTranslations(context, kind, id, info),
  }),
  translation: (kind: TermKind) => ({
    type: Translation,
    nullable: true as const,
    description: 'The texts that clients wrote in this language; null if there are no such texts.',
    extensions: translationExtensions,
    select: { id: true as const },
    resolve: ({ id }: { id: number }, args: LanguageArgs, context: Context, info: GraphQLResolveInfo) =>
      translationIn(args, context, kind, id, info),
  }),
  description: {
    description: 'Description as plain text; empty if there is no description.',
    extensions: longTextComplexity,
    select: (_args: Args, context: Context) => selectServedText(context, 'description'),
    resolve: recordResolver((row: ServedRow<'description'>) => getServedText(row, 'description')),
  },
}

export const publishedAtField = {
  type: 'DateTime',
  description: 'Publication date, which may be in the future.',
} as const
export const modifiedAtField = { type: 'DateTime', description: 'When the record was last modified.' } as const

export const postAuthorField = { nullable: true, description: 'The author; null if the user was deleted.' } as const

export const postDatabaseIdField = { description: 'Numeric ID, unique among events, venues, organizers and images.' }
export const termDatabaseIdField = { description: 'Numeric ID, unique among categories and tags.' }
