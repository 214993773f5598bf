// How a resolver gets at the served text of a record, in the language of the operation.
import type { Context } from '../../context.ts'
import type { TextField } from './text-rows.ts'

/** Selection of one column of the served row; equal selections of several fields merge into one read. */
export const served = <Column extends TextField | 'source' | 'written'>(context: Context, column: Column) => ({
  texts: { where: { language: context.language }, select: { [column]: true } as Record<Column, true> },
})

/** What `pageUrl` needs to know of a record. */
export const servedSlug = (context: Context) => ({
  texts: { where: { language: context.language }, select: { slug: true as const, source: true as const } },
})

/** That column's value; a record always has its row. */
export const textOf = <Column extends string>(
  record: { texts: readonly { readonly [column in Column]: string }[] },
  column: Column,
): string => record.texts[0]?.[column] ?? ''

/** Records with a title or name of their own in the language, where the site does without fallback. */
export const inLanguage = ({ settings, language }: Context) =>
  settings.languageFallback ? {} : { texts: { some: { language, written: { has: 'name' } } } }

/** The root order, `und`, which Intl knows by this name only: for `und` it takes the order of the process. */
const collator = new Intl.Collator('en')

/** Equal letters in other code points come in the order of these, as in the database. */
const compareNames = (a: string, b: string) => collator.compare(a, b) || Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Records in the order of their served names, as lists ordered by the database have them. */
export const byName = <Row extends { id: number; texts: readonly { readonly name: string }[] }>(rows: Row[]): Row[] =>
  rows.sort((a, b) => compareNames(textOf(a, 'name'), textOf(b, 'name')) || a.id - b.id)
