// Served texts: one row per record and site language, whether translated or not, so that reading, searching and sorting
// in a language read one row. A row without a translation is a copy of the fallback language.

import { fallbackChain } from '../../basics/language.ts'
import { memoize } from '../../basics/memoize.ts'
import { htmlToLine } from '../../basics/strip-tags.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, kinds, type RecordKind, recordKinds } from '../../kinds.ts'
import { foldText } from './fold.ts'

export type TextField = 'name' | 'description' | 'excerpt' | 'slug'
export const textFields: readonly TextField[] = ['name', 'description', 'excerpt', 'slug']

/** Text that was written in one language, without copies. `name` is the title of an event. */
export type OwnText<Field extends string = TextField> = { readonly [field in Field]?: string }

/** The languages in which the site serves texts. */
export interface SiteLanguages {
  readonly languages: readonly string[]
  readonly defaultLanguage: string
}

/** The texts of a record in the languages in which they were written, before fallbacks fill the other languages. */
export interface TextsAsWritten {
  readonly id: number
  /** Language that the record was first written in; its name always exists. */
  readonly original: string
  readonly own: ReadonlyMap<string, OwnText>
  /** Values of the columns that search covers, such as addresses. */
  readonly searchedColumns?: readonly string[]
  /** The languages whose texts get a new time. */
  readonly revised?: readonly string[]
}

/** Version of the rules in this file. After an upgrade with another version, the next start rebuilds all rows. */
export const textRulesVersion = 6

/** The text of a record in one language; texts without translation are copies of another language. */
export interface ServedTextRow extends Record<TextField, string> {
  id: number
  language: string
  written: TextField[]
  /** Language of the name. */
  source: string
  /** Language of the description; null if it is empty. */
  descriptionSource: string | null
  excerptSource: string | null
  searchedColumns: readonly string[]
  revised: boolean
}

/** Computes the served values of the fields, with fallbacks, in each language of the site and each other written language. */
export function computeServedFields<Field extends string>(
  fields: readonly Field[],
  { original, own }: { readonly original: string; readonly own: ReadonlyMap<string, OwnText<Field>> },
  site: SiteLanguages,
) {
  return [...new Set([...site.languages, ...own.keys()])].map((language) => {
    const chain = fallbackChain(language, original, site)
    const sourceOf = (field: Field) => chain.find((candidate) => own.get(candidate)?.[field] !== undefined)
    const textOf = (field: Field) => own.get(sourceOf(field) ?? original)?.[field] ?? ''
    return {
      language,
      texts: Object.fromEntries(fields.map((field) => [field, textOf(field)])) as Record<Field, string>,
      /** The fields that were written in this language. */
      written: fields.filter((field) => own.get(language)?.[field] !== undefined),
      sourceOf,
    }
  })
}

export const toServedTextRows = (source: TextsAsWritten, site: SiteLanguages): ServedTextRow[] =>
  computeServedFields(textFields, source, site).map(({ language, texts, written, sourceOf }) => ({
    id: source.id,
    language,
    ...texts,
    written,
    source: sourceOf('name') ?? source.original,
    descriptionSource: texts.description === '' ? null : (sourceOf('description') ?? null),
    excerptSource: texts.excerpt === '' ? null : (sourceOf('excerpt') ?? null),
    searchedColumns: source.searchedColumns ?? [],
    revised: source.revised?.includes(language) ?? false,
  }))

/** Maximum of characters of a folded text that search covers: a bound, since some characters fold into many. */
const maxSearchedLength = 200_000

/** Maximum of characters of a folded text whose words and stems are indexed: the size of a tsvector is limited. */
const maxStemmedLength = 50_000

/** Returns a fold function that folds equal texts once, since many rows are copies. */
const memoizedFold = () =>
  memoize({ name: 'fold' }, (text: string) => {
    const folded = foldText(text).slice(0, maxSearchedLength).toWellFormed()
    return { text: folded, line: folded.replace(/\s+/g, ' ').trim() }
  })

/**
 * Returns the text that search covers, one line per field; of categories and tags the name and the slug (contract c.14). The
 * first line is always the name, even if empty: search in locked records uses only this line.
 */
export function toSearchedText(
  kind: RecordKind,
  { name, description, excerpt, slug, searchedColumns }: ServedTextRow,
  folded = memoizedFold(),
): string {
  const others = isPost(kind) ? [htmlToLine(description), htmlToLine(excerpt), ...searchedColumns] : [slug]
  const lines = others.map((field) => folded(field).line)
  return [folded(name).line, ...lines.filter(Boolean)].join('\n')
}

export async function insertTextRows(tx: Tx, kind: RecordKind, rows: readonly ServedTextRow[]): Promise<void> {
  if (rows.length === 0) return
  const update = [...columns(kind), 'stems'].map((name) => `${name} = excluded.${name}`)
  update.push(`revised_at = coalesce(excluded.revised_at, ${kinds[kind].owner}_text.revised_at)`)
  await tx.$executeRaw`
    ${insertTextRowsSql(kind, rows)} ON CONFLICT (${Prisma.raw(`${kinds[kind].owner}_id`)}, language) DO UPDATE SET ${Prisma.raw(`${update}`)}`
}

/** Returns the rows as JSON for `insertTextRowsSql`, with the folded text for search and relevance. */
export function textRowsToJson(kind: RecordKind, rows: readonly ServedTextRow[]): string {
  const folded = memoizedFold()
  const stems = (text: string) => folded(text).text.slice(0, maxStemmedLength).toWellFormed()
  const all = rows.map(({ searchedColumns: _, descriptionSource, excerptSource, ...row }, index) => ({
    ...row,
    description_source: descriptionSource,
    excerpt_source: excerptSource,
    folded: toSearchedText(kind, rows[index] as ServedTextRow, folded),
    config: textSearchConfigName(row.language),
    title: stems(row.name),
    short: stems(htmlToLine(row.excerpt)),
    long: stems(htmlToLine(row.description)),
  }))
  return JSON.stringify(all)
}

const columns = (kind: RecordKind): string[] => {
  const excerpt = isPost(kind) ? ['excerpt', 'excerpt_source'] : []
  return ['name', 'description', 'description_source', ...excerpt, 'slug', 'written', 'source', 'folded']
}

/** Characters that PostgreSQL's text search parser joins to words, such as in paths, or takes for letters in the locale C. */
const separators = '/\\.@_+~&:=%?#<>;!-·•¿¡'

/** Returns SQL for a text with its punctuation replaced by blanks, to parse the same words whatever the punctuation. */
const wordsOf = (column: string): string =>
  `to_tsvector('pg_catalog.simple', translate(left(${column}, ${maxStemmedLength}), '${separators}', '${' '.repeat([...separators].length)}'))`

/** Returns an INSERT statement of text rows that ends with the FROM clause, so that callers can add a condition. */
export function insertTextRowsSql(kind: RecordKind, rows: readonly ServedTextRow[]): Prisma.Sql {
  const names = Prisma.raw(`${columns(kind)}`)
  const { owner } = kinds[kind]
  return Prisma.sql`
    INSERT INTO ${Prisma.raw(`${owner}_text (${owner}_id`)}, language, ${names}, revised_at, stems)
    SELECT id, language, ${names}, CASE WHEN revised THEN now() END, setweight(to_tsvector(stemmer, title), 'A')
      || setweight(to_tsvector(stemmer, short), 'B') || setweight(to_tsvector(stemmer, long), 'C')
      || setweight(${Prisma.raw(wordsOf('title'))}, 'A') || ${Prisma.raw(wordsOf('folded'))}
    FROM jsonb_to_recordset(${textRowsToJson(kind, rows)}::jsonb) AS row (
      id int, language text, name text, description text, excerpt text, slug text, written text[], source text, revised boolean,
      description_source text, excerpt_source text, folded text, config text, title text, short text, long text),
      LATERAL (SELECT ${textSearchConfigOrSimpleSql(Prisma.raw('config'))} AS stemmer) AS language_stemmer`
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** Returns the name of PostgreSQL's text search configuration of a language, which may not exist. */
export const textSearchConfigName = memoize(
  { name: 'stemmer', max: 1000 },
  (language: string) => languageNames.of(language)?.toLowerCase() ?? language,
)

/** Returns SQL for the text search configuration with this name; `simple` if it does not exist. */
export const textSearchConfigOrSimpleSql = (name: Prisma.Sql): Prisma.Sql => new Prisma.Sql(stemmerSql, [name])

const stemmerSql = ['coalesce((SELECT oid FROM pg_ts_config WHERE cfgname = ', "), 'simple'::regconfig)::regconfig"]

interface StoredText
  extends Omit<ServedTextRow, 'searchedColumns' | 'written' | 'descriptionSource' | 'excerptSource' | 'revised'> {
  original: string
  written: TextField[] | null
  searched: string[]
}

/** Reads the texts of records by language as clients wrote them, without the copies. Of events, `ids` are those of contents. */
export async function readWrittenTexts(tx: Tx, kind: RecordKind, ids: readonly number[]): Promise<TextsAsWritten[]> {
  const excerpt = Prisma.raw(isPost(kind) ? 't.excerpt' : `''`)
  const searchedColumns = Prisma.raw(`${kinds[kind].searchedColumns.map((name) => `r.${name}`)}`)
  const { owner } = kinds[kind]
  const [texts, key] = [Prisma.raw(`"${owner}_text"`), Prisma.raw(`"${owner}_id"`)]
  // All dates of a series have the same original language.
  const record = Prisma.raw(
    kind === 'event'
      ? '(SELECT DISTINCT ON (content_id) content_id AS id, original_language FROM event ORDER BY content_id)'
      : `"${kind}"`,
  )
  // With the number of IDs hidden from the planner, one plan serves all.
  const rows = await tx.$queryRaw<StoredText[]>`
    SELECT r.id, r.original_language AS original, array[${searchedColumns}]::text[] AS searched,
      t.language, t.name, t.description, ${excerpt} AS excerpt, t.slug, t.written, t.source
    FROM ${record} r LEFT JOIN ${texts} t ON t.${key} = r.id
    WHERE r.id = ANY(ARRAY(SELECT unnest(${ids}::int[]))) ORDER BY r.id, t.language`
  const byRecord = Map.groupBy(rows, (row) => row.id)
  return [...byRecord].map(([id, texts]) => ({
    id,
    original: texts[0]?.original ?? '',
    searchedColumns: texts[0]?.searched ?? [],
    own: new Map(
      texts.flatMap((text) => (text.written?.length ? [[text.language, pickWrittenFields(text, text.written)]] : [])),
    ),
  }))
}

/** Picks the fields of a row that were written in its language, not copied from a fallback. */
export const pickWrittenFields = <Field extends string>(
  row: Readonly<Record<Field, string>>,
  written: readonly Field[],
) => Object.fromEntries(written.map((field) => [field, row[field]])) as OwnText<Field>

/** Rebuilds all served texts, after LANGUAGES or DEFAULT_LANGUAGE changed. */
export async function rebuildServedTexts(tx: Tx, site: SiteLanguages): Promise<void> {
  for (const kind of recordKinds) {
    const { owner } = kinds[kind]
    const table = Prisma.raw(`"${owner}_text"`)
    const ids = await tx.$queryRaw<{ id: number }[]>`SELECT id FROM ${Prisma.raw(`"${owner}"`)} ORDER BY id`
    for (let start = 0; start < ids.length; start += 1000) {
      const batch = ids.slice(start, start + 1000).map((row) => row.id)
      const sources = await readWrittenTexts(tx, kind, batch)
      const rows = sources.flatMap((source) => toServedTextRows(source, site))
      await insertTextRows(tx, kind, rows)
    }
    await tx.$executeRaw`DELETE FROM ${table} WHERE written = '{}' AND NOT language = ANY(${site.languages}::text[])`
  }
}
