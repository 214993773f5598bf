// Pothos options of fields that are withheld while a record is locked by a password.
import type { Context } from '../../service/context.ts'
import { longTextComplexity } from '../../service/graphql/limits/complexity.ts'
import { type RecordContext, recordResolver } from '../../service/graphql/record-resolver.ts'
import { Image } from '../image/type.ts'
import { isLocked, type LockableRecord, lockColumns } from '../rules/record-password.ts'
import { textToHtmlParagraphs } from '../text/paragraphs.ts'
import { getServedText, type ServedRow, selectServedText } from '../text/served-text.ts'

type Args = object

/** Returns a resolver that returns null while the record is locked. */
export const nullIfLocked = <Row extends LockableRecord, Value>(read: (row: Row, context: RecordContext) => Value) =>
  recordResolver((row: Row, context): Value | null => (isLocked(row, context) ? null : read(row, context)))

/** Returns a resolver that returns an empty list while the record is locked. */
export const emptyIfLocked = <Row extends LockableRecord, Item>(read: (row: Row, context: RecordContext) => Item[]) =>
  recordResolver((row: Row, context): Item[] => (isLocked(row, context) ? [] : read(row, context)))

export const nullWhileLockedNote = 'Null while the record is locked.'

/**
 * Options of a field that shows a column and is null while the record is locked, for example
 * `t.string(lockable('phone', 'Telephone number.'))`.
 */
export function lockableField<Column extends string>(column: Column, description: string) {
  const resolve: LockableResolver<Column> = nullIfLocked((row) => row[column])
  return {
    nullable: true as const,
    description: `${description} ${nullWhileLockedNote}`,
    select: { ...lockColumns, ...({ [column]: true } as Record<Column, true>) },
    resolve,
  }
}

/** Like `lockableField`, for a field that `read` computes from the column. */
export const lockableValueField = <Column extends string, Value, Result>(
  column: Column,
  description: string,
  read: (value: Value, context: RecordContext) => Result,
) => ({
  ...lockableField(column, description),
  resolve: nullIfLocked((row: LockableRow<Column, Value>, context) => read(row[column], context)),
})

/** Like `lockableField`, for the image of a record. */
export const lockableImageField = (description: string) => ({
  type: Image,
  nullable: true as const,
  description: `${description} ${nullWhileLockedNote}`,
  select: <Selected>(_args: Args, _context: Context, nested: (selection: true) => Selected) => ({
    ...lockColumns,
    image: nested(true),
  }),
  resolve: nullIfLocked((row: LockableRecord & { readonly image: typeof Image.$inferType | null }) => row.image),
})

type LockableRow<Column extends string, Value> = LockableRecord & { readonly [column in Column]: Value }

type LockableResolver<Column extends string> = <Value>(
  row: LockableRow<Column, Value>,
  args: Args,
  context: RecordContext,
) => Value | null

/** Options of a field that shows a long text as stored, and is null while the record is locked. */
export const lockableTextField = <Column extends 'description' | 'excerpt'>(column: Column, description: string) => ({
  nullable: true as const,
  description: `${description} ${nullWhileLockedNote}`,
  extensions: longTextComplexity,
  select: (_args: Args, context: Context) => ({ ...lockColumns, ...selectServedText(context, column) }),
  resolve: nullIfLocked((row: LockableRecord & ServedRow<Column>) => getServedText(row, column)),
})

/** Like `lockableTextField`, for a field that shows the text as HTML, with `<p>` and `<br>` for its line breaks. */
export const lockableHtmlField = <Column extends 'description' | 'excerpt'>(column: Column, description: string) => ({
  ...lockableTextField(column, description),
  resolve: nullIfLocked((row: LockableRecord & ServedRow<Column>) => textToHtmlParagraphs(getServedText(row, column))),
})
