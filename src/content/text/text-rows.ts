// The served text: a row per record and site language, whether translated or not, so that reading, search and order in
// a language look at one row. This module alone decides what is written, what is a copy, and how text is folded.
import type { Tx } from '../../db/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { fallbackChain } from '../../language.ts'
import { memoize } from '../../memoize.ts'
import { isPost, kinds, type RecordKind, recordKinds } from '../kinds.ts'
import { normalize } from './normalize.ts'

export type TextField = 'name' | 'description' | 'excerpt' | 'slug'
export const textFields: readonly TextField[] = ['name', 'description', 'excerpt', 'slug']

/** What was written in one language; a field never written is absent. `name` is an event's title. */
export type OwnText = { readonly [field in TextField]?: string }

export interface SiteLanguages {
  readonly languages: readonly string[]
  readonly defaultLanguage: string
}

export interface TextSource {
  readonly id: number
  /** Language the record was first written in; its name is never absent. */
  readonly original: string
  /** By language. */
  readonly own: ReadonlyMap<string, OwnText>
  /** Contact fields and alike that search looks at beside the text. */
  readonly alsoSearched?: readonly string[]
}

/** Version of the rules below: where a database was written by others, its rows are made anew at the next start. */
export const textRules = 3

export interface ServedText {
  id: number
  language: string
  name: string
  description: string
  excerpt: string
  slug: string
  written: TextField[]
  source: string
  /** Contact fields and alike that search looks at beside the text. */
  alsoSearched: readonly string[]
}

/** The rows of one record: every site language, and any other that has text of its own. */
export function servedTexts({ id, original, own, alsoSearched = [] }: TextSource, site: SiteLanguages): ServedText[] {
  const languages = new Set([...site.languages, ...own.keys()])
  return [...languages].map((language) => {
    const chain = fallbackChain(language, original, site)
    const sourceOf = (field: TextField) => chain.find((candidate) => own.get(candidate)?.[field] !== undefined)
    const served = (field: TextField) => own.get(sourceOf(field) ?? original)?.[field] ?? ''
    const [name, description, excerpt, slug] = [
      served('name'),
      served('description'),
      served('excerpt'),
      served('slug'),
    ]
    return {
      id,
      language,
      name,
      description,
      excerpt,
      slug,
      written: textFields.filter((field) => own.get(language)?.[field] !== undefined),
      source: sourceOf('name') ?? original,
      alsoSearched,
    }
  })
}

/** Text as search compares it: without case and accents. */
export function fold(text: string): string {
  return normalize(text, 'NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
}

/** The same in one line. */
export const foldLine = (text: string): string => fold(text).replace(/\s+/g, ' ').trim()

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The words of stored HTML. */
function plain(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
}

/** Characters of a folded text that search looks at: a few characters fold into many. */
const searched = 200_000

/** Characters of a folded text that relevance looks at: what PostgreSQL takes in is limited. */
const stemmed = 100_000

interface Folded {
  readonly text: string
  readonly line: string
}

/** Folds each text once: rows of languages without a text of their own are copies. */
function folder(): (text: string) => Folded {
  const known = new Map<string, Folded>()
  return (text) => {
    const before = known.get(text)
    if (before) return before
    const folded = fold(text).slice(0, searched).toWellFormed()
    const made = { text: folded, line: folded.replace(/\s+/g, ' ').trim() }
    known.set(text, made)
    return made
  }
}

/**
 * What search looks at: a field a line, of terms the name and the slug (contract c.14). The first line is always the
 * name, even if nothing is left of it: of a locked record only that line is searched.
 */
export function searchedText(
  kind: RecordKind,
  { name, description, excerpt, slug, alsoSearched }: ServedText,
  folded = folder(),
): string {
  const others = isPost(kind) ? [plain(description), plain(excerpt), ...alsoSearched] : [slug]
  const lines = others.map((field) => folded(field).line)
  return [folded(name).line, ...lines.filter(Boolean)].join('\n')
}

/** Stores rows, replacing those of the same record and language. */
export async function writeTexts(tx: Tx, kind: RecordKind, rows: readonly ServedText[]): Promise<void> {
  if (rows.length === 0) return
  const update = [...columns(kind), 'stems'].map((name) => `${name} = excluded.${name}`)
  await tx.$executeRaw`
    ${insertTexts(kind, rows)} ON CONFLICT (${Prisma.raw(`${kind}_id`)}, language) DO UPDATE SET ${Prisma.raw(`${update}`)}`
}

/** As JSON, with the text that search and relevance look at. */
export function textRows(kind: RecordKind, rows: readonly ServedText[]): string {
  const folded = folder()
  const stems = (text: string) => folded(text).text.slice(0, stemmed).toWellFormed()
  const all = rows.map(({ alsoSearched: _, ...row }, index) => ({
    ...row,
    folded: searchedText(kind, rows[index] as ServedText, folded),
    config: stemmer(row.language),
    title: stems(row.name),
    short: stems(plain(row.excerpt)),
    long: stems(plain(row.description)),
  }))
  return JSON.stringify(all)
}

const columns = (kind: RecordKind): string[] => {
  const texts = isPost(kind) ? ['name', 'description', 'excerpt'] : ['name', 'description']
  return [...texts, 'slug', 'written', 'source', 'folded']
}

/** Inserts rows; the statement ends with its FROM. */
export function insertTexts(kind: RecordKind, rows: readonly ServedText[]): Prisma.Sql {
  const names = Prisma.raw(`${columns(kind)}`)
  return Prisma.sql`
    INSERT INTO ${Prisma.raw(`${kind}_text (${kind}_id`)}, language, ${names}, stems)
    SELECT id, language, ${names}, setweight(to_tsvector(stemmer, title), 'A')
      || setweight(to_tsvector(stemmer, short), 'B') || setweight(to_tsvector(stemmer, long), 'C')
    FROM jsonb_to_recordset(${textRows(kind, rows)}::jsonb) AS row (
      id int, language text, name text, description text, excerpt text, slug text, written text[], source text,
      folded text, config text, title text, short text, long text),
      LATERAL (SELECT ${stemmerOf(Prisma.raw('config'))} AS stemmer) AS language_stemmer`
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** What PostgreSQL calls its text search of a language, if it has one. */
export const stemmer = memoize(
  { name: 'stemmer', max: 1000 },
  (language: string) => languageNames.of(language)?.toLowerCase() ?? language,
)

/** The text search configuration of this name, or the one that knows no language. */
export const stemmerOf = (name: Prisma.Sql): Prisma.Sql => new Prisma.Sql(stemmerNamed, [name])

const stemmerNamed = ['coalesce((SELECT oid FROM pg_ts_config WHERE cfgname = ', "), 'simple'::regconfig)::regconfig"]

interface StoredText extends Omit<ServedText, 'alsoSearched' | 'written'> {
  original: string
  /** Null for a record without text. */
  written: TextField[] | null
  searched: string[]
}

/** What is stored of records, as it was written: copies are left out. A new record has nothing yet. */
export async function readTextSources(tx: Tx, kind: RecordKind, ids: readonly number[]): Promise<TextSource[]> {
  const excerpt = Prisma.raw(isPost(kind) ? 't.excerpt' : `''`)
  const alsoSearched = Prisma.raw(`${kinds[kind].searchedColumns.map((name) => `r.${name}`)}`)
  const [record, texts, key] = [Prisma.raw(`"${kind}"`), Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const rows = await tx.$queryRaw<StoredText[]>`
    SELECT r.id, r.original_language AS original, array[${alsoSearched}]::text[] AS searched,
      t.language, t.name, t.description, ${excerpt} AS excerpt, t.slug, t.written, t.source
    FROM ${record} r LEFT JOIN ${texts} t ON t.${key} = r.id
    WHERE r.id = ANY(${ids}::int[]) ORDER BY r.id, t.language`
  const byRecord = Map.groupBy(rows, (row) => row.id)
  return [...byRecord].map(([id, texts]) => ({
    id,
    original: texts[0]?.original ?? '',
    alsoSearched: texts[0]?.searched ?? [],
    own: new Map(texts.flatMap((text) => (text.written?.length ? [[text.language, ownText(text)] as const] : []))),
  }))
}

function ownText(text: StoredText): OwnText {
  return Object.fromEntries((text.written ?? []).map((field) => [field, text[field]]))
}

/** Makes every served row of the database anew, after LANGUAGES or DEFAULT_LANGUAGE changed. */
export async function renewAllTexts(tx: Tx, site: SiteLanguages): Promise<void> {
  for (const kind of recordKinds) {
    const table = Prisma.raw(`"${kind}_text"`)
    const ids = await tx.$queryRaw<{ id: number }[]>`SELECT id FROM ${Prisma.raw(`"${kind}"`)} ORDER BY id`
    for (let start = 0; start < ids.length; start += 1000) {
      const batch = ids.slice(start, start + 1000).map((row) => row.id)
      const sources = await readTextSources(tx, kind, batch)
      await writeTexts(
        tx,
        kind,
        sources.flatMap((source) => servedTexts(source, site)),
      )
    }
    await tx.$executeRaw`DELETE FROM ${table} WHERE written = '{}' AND NOT language = ANY(${site.languages}::text[])`
  }
}
