// Prisma selections and readers for the served text of a record: in the language of the operation, or a fallback.
import type { Context } from '../../service/context.ts'
import type { TextField } from './text-rows.ts'

/** Selects one column of the served text. Pothos merges the selections of several fields into one query. */
export const selectServedText = <Column extends TextField | 'source' | 'written'>(
  context: Context,
  column: Column,
) => ({
  texts: { where: { language: context.language }, select: { [column]: true } as Record<Column, true> },
})

/** Selects the slug, and the language of the name, from the served text. */
export const selectServedSlug = (context: Context) => ({
  texts: { where: { language: context.language }, select: { slug: true as const, source: true as const } },
})

/** A record with its row of served text in one language. Each record has a row for each language of the site. */
export interface ServedRow<Column extends string> {
  readonly texts: readonly { readonly [column in Column]: string }[]
}

/** Returns a column of the served text; an empty text if the row is missing. */
export const getServedText = <Column extends string>(record: ServedRow<Column>, column: Column): string =>
  record.texts[0]?.[column] ?? ''

/** On a site without language fallback, selects records with a title or name in the language of the operation. */
export const inLanguageFilter = ({ settings, language }: Context) =>
  settings.languageFallback ? {} : { texts: { some: { language, written: { has: 'name' } } } }

/** English has the root collation order of CLDR; for `und`, Intl uses the locale of the process. */
const collator = new Intl.Collator('en')

/** Compares names as the database does: names that collate as equal are ordered by code points. */
export const compareNames = (a: string, b: string): number =>
  collator.compare(a, b) || Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Sorts records by served name, then by ID, in place. */
export const sortByName = <Row extends ServedRow<'name'> & { id: number }>(rows: Row[]): Row[] =>
  rows.sort((a, b) => compareNames(getServedText(a, 'name'), getServedText(b, 'name')) || a.id - b.id)
