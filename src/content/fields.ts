// Fields that several kinds of record have, as options for Pothos: the same name means the same everywhere.
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import type { Status } from '../generated/prisma/enums.ts'
import { longText } from '../graphql/limits/complexity.ts'
import { fromRecord, type RecordContext, takesInfo } from '../graphql/record-resolver.ts'
import { RecordStatus } from './enums.ts'
import { Image } from './image/type.ts'
import type { PostKind, TermKind } from './kinds.ts'
import { isLocked, type Lockable, lockColumns } from './lifecycle/record-password.ts'
import { effectiveStatus } from './lifecycle/status.ts'
import { pageUrl } from './page-url.ts'
import { paragraphs } from './text/paragraphs.ts'
import { served, servedSlug, textOf } from './text/served-text.ts'
import { Translation } from './text/translation-type.ts'
import { translationsOf } from './text/translations.ts'

type Args = object
type Text<Column extends string> = { texts: readonly { readonly [column in Column]: string }[] }

/** A resolver that answers null while the record is locked. */
const unlessLocked = <Row extends Lockable, Value>(read: (row: Row, context: RecordContext) => Value) =>
  fromRecord((row: Row, context): Value | null => (isLocked(row, context) ? null : read(row, context)))

/** The same for lists: empty while the record is locked. */
export const emptyIfLocked = <Row extends Lockable, Item>(read: (row: Row, context: RecordContext) => Item[]) =>
  fromRecord((row: Row, context): Item[] => (isLocked(row, context) ? [] : read(row, context)))

/** What is in the trash has given its slug away, and shows it marked (contract c.12). */
function shownSlug(row: Text<'slug'> & { status: Status }): string {
  const slug = textOf(row, 'slug')
  return row.status === 'trash' && slug !== '' ? `${slug}__trashed` : slug
}

function html(text: string, { texts }: RecordContext): string {
  texts.check()
  return texts.spend(paragraphs(text))
}

export const whileLocked = 'Null while the record is locked.'

/**
 * Options of a field that shows a column, or what `read` makes of it, and is null while the record is locked. The field's
 * own method says which type it has: `t.string(lockable('phone', 'Telephone number.'))`.
 */
export function lockable<Column extends string>(column: Column, description: string) {
  const resolve: LockableResolver<Column> = unlessLocked((row) => row[column])
  return {
    nullable: true as const,
    description: `${description} ${whileLocked}`,
    select: { ...lockColumns, ...({ [column]: true } as Record<Column, true>) },
    resolve,
  }
}

/** The same for a field that is computed from the column. */
export const lockableValue = <Column extends string, Value, Result>(
  column: Column,
  description: string,
  read: (value: Value, context: RecordContext) => Result,
) => ({
  ...lockable(column, description),
  resolve: unlessLocked((row: LockableRow<Column, Value>, context) => read(row[column], context)),
})

/** The same for the image of a record. */
export const lockableImage = (description: string) => ({
  type: Image,
  nullable: true as const,
  description: `${description} ${whileLocked}`,
  select: <Selected>(_args: Args, _context: Context, nested: (selection: true) => Selected) => ({
    ...lockColumns,
    image: nested(true),
  }),
  resolve: unlessLocked((row: Lockable & { readonly image: typeof Image.$inferType | null }) => row.image),
})

type LockableRow<Column extends string, Value> = Lockable & { readonly [column in Column]: Value }

type LockableResolver<Column extends string> = <Value>(
  row: LockableRow<Column, Value>,
  args: Args,
  context: RecordContext,
) => Value | null

const lockedText = <Column extends 'description' | 'excerpt'>(column: Column) => ({
  nullable: true as const,
  extensions: longText,
  select: (_args: Args, context: Context) => ({ ...lockColumns, ...served(context, column) }),
})

/** Text of any record. */
const textFields = {
  language: {
    description: 'Language that the title or name is served in.',
    select: (_args: Args, context: Context) => served(context, 'source'),
    resolve: fromRecord((row: Text<'source'>) => textOf(row, 'source')),
  },
  name: {
    select: (_args: Args, context: Context) => served(context, 'name'),
    resolve: fromRecord((row: Text<'name'>) => textOf(row, 'name')),
  },
  slug: {
    description: 'Name in URLs, unique within the kind of record; empty for a draft that was given none.',
    select: (_args: Args, context: Context) => served(context, 'slug'),
    resolve: fromRecord((row: Text<'slug'>) => textOf(row, 'slug')),
  },
}

/** Text and state of events, venues and organizers. */
export const postFields = {
  ...textFields,
  slug: {
    ...textFields.slug,
    select: (_args: Args, context: Context) => ({ status: true as const, ...served(context, 'slug') }),
    resolve: fromRecord((row: Text<'slug'> & { status: Status }) => shownSlug(row)),
  },
  url: (kind: PostKind) => ({
    type: 'URL' as const,
    description: `Page of the ${kind} for people.`,
    select: (_args: Args, context: Context) => ({
      id: true as const,
      status: true as const,
      ...servedSlug(context),
    }),
    resolve: fromRecord((row: Text<'slug' | 'source'> & { id: number; status: Status }, context) =>
      // In the trash its slug may be somebody else's by now.
      pageUrl(context, [kind, row.status === 'trash' ? '' : textOf(row, 'slug')], {
        id: row.id,
        source: textOf(row, 'source'),
      }),
    ),
  }),
  translations: (kind: PostKind) => ({
    type: [Translation] as [typeof Translation],
    description: 'The languages that the record was written in, each with its own text. Empty while it is locked.',
    extensions: { ...longText, [takesInfo]: true },
    select: lockColumns,
    resolve: (row: Lockable, _args: Args, context: Context, info: GraphQLResolveInfo) =>
      isLocked(row, context) ? [] : translationsOf(context, kind, row.id, info),
  }),
  description: {
    ...lockedText('description'),
    description: `As stored: HTML, or text with blank lines between paragraphs. ${whileLocked}`,
    resolve: unlessLocked((row: Lockable & Text<'description'>, { texts }) => texts.spend(textOf(row, 'description'))),
  },
  descriptionHtml: {
    ...lockedText('description'),
    description: `The description, its paragraphs marked up. ${whileLocked}`,
    resolve: unlessLocked((row: Lockable & Text<'description'>, context) => html(textOf(row, 'description'), context)),
  },
  excerpt: {
    ...lockedText('excerpt'),
    description: `A short description, as stored. ${whileLocked}`,
    resolve: unlessLocked((row: Lockable & Text<'excerpt'>, { texts }) => texts.spend(textOf(row, 'excerpt'))),
  },
  excerptHtml: {
    ...lockedText('excerpt'),
    description: `The excerpt, its paragraphs marked up. ${whileLocked}`,
    resolve: unlessLocked((row: Lockable & Text<'excerpt'>, context) => html(textOf(row, 'excerpt'), context)),
  },
  status: {
    type: RecordStatus,
    description: 'Where the record stands in its life.',
    select: { status: true as const, publishedAt: true as const },
    resolve: fromRecord((row: { status: Status; publishedAt: Date }, context) => effectiveStatus(row, context)),
  },
  locked: {
    description: 'Whether fields are withheld: the record has a password that was not given (`@inContext(password:)`).',
    select: { ...lockColumns },
    resolve: fromRecord((row: Lockable, context) => isLocked(row, context)),
  },
}

type Detailed<Column extends string> = Lockable &
  Text<'description' | 'excerpt'> & { readonly imageId: number | null } & { readonly [column in Column]: string }

/**
 * The field that names what a lock withholds of a venue or organizer: the contract shows such fields empty, and only
 * those (contract c.15). `columns` are its own fields that it withholds, beside those of any record.
 */
export const withheldFields = <Column extends string>(columns: readonly Column[]) => ({
  description: 'Names of the fields that have a value and are null because the record is locked.',
  select: (_args: Args, { language }: Context) => ({
    ...lockColumns,
    imageId: true as const,
    texts: { where: { language }, select: { description: true as const, excerpt: true as const } },
    ...(Object.fromEntries(columns.map((column) => [column, true])) as Record<Column, true>),
  }),
  resolve: fromRecord((row: Detailed<Column>, context): string[] => {
    if (!isLocked(row, context)) return []
    const texts = (['description', 'excerpt'] as const).filter((column) => textOf(row, column).trim() !== '')
    const image = row.imageId === null ? [] : ['image']
    return [...texts, ...image, ...columns.filter((column) => row[column] !== '')]
  }),
})

/** Text of categories and tags. */
export const termFields = {
  ...textFields,
  translations: (kind: TermKind) => ({
    type: [Translation] as [typeof Translation],
    description: 'The languages that the term was written in, each with its own text.',
    extensions: longText,
    resolve: ({ id }: { id: number }, _args: Args, context: Context) => translationsOf(context, kind, id),
  }),
  description: {
    description: 'Plain text; empty when there is none.',
    extensions: longText,
    select: (_args: Args, context: Context) => served(context, 'description'),
    resolve: fromRecord((row: Text<'description'>, { texts }) => texts.spend(textOf(row, 'description'))),
  },
}

export const databaseIdOfPost = { description: 'Number, unique among events, venues, organizers and images.' }
export const databaseIdOfTerm = { description: 'Number, unique among categories and tags.' }
