// Writing text: into one language or several, with the slugs that go with it, and the copies renewed.
import type { Tx } from '../db/client.ts'
import type { RecordKind } from './kinds.ts'
import { claimSlugs, releaseSlugs, slugify } from './slug.ts'
import {
  type OwnText,
  readTextSources,
  type ServedText,
  type SiteLanguages,
  servedTexts,
  type TextField,
  type TextSource,
  textFields,
  writeTexts,
} from './text.ts'

/** What is written in one language: undefined leaves a field as it is, null forgets it, so that another is served. */
export type TextChange = { readonly [field in TextField]?: string | null | undefined }

export interface TextWriting {
  readonly id: number
  /** By language. */
  readonly changes: ReadonlyMap<string, TextChange>
  /** Records without slugs yet (drafts of events, what is in the trash) are given none but those that are asked for. */
  readonly slugs: 'from names' | 'as given'
  /** Of a new record, which has neither text nor slugs; of others it is read. */
  readonly source?: TextSource
}

/** Writes the text of one record, new or not; its row must be there. */
export async function writeText(tx: Tx, kind: RecordKind, writing: TextWriting, site: SiteLanguages): Promise<void> {
  const before = writing.source ?? (await readTextSources(tx, kind, [writing.id]))[0]
  if (!before) throw new Error(`No ${kind} ${writing.id} to write text of`)
  const own = ownAfter(before, writing)
  await settleSlugs(tx, kind, writing, before.own, own)
  await writeTexts(tx, kind, servedTexts({ ...before, own }, site))
}

export interface FirstText {
  readonly slugs: readonly string[]
  readonly rows: readonly ServedText[]
}

/** The text of a new record as it is if the slugs are free that it is to get; if not, writeText gives it others. */
export function firstText(writing: TextWriting & { readonly source: TextSource }, site: SiteLanguages): FirstText {
  const own = ownAfter(writing.source, writing)
  const slugs = new Set<string>()
  for (const [language, text] of own) {
    const slug = wantedSlug(writing, language, text)
    if (slug === '') continue
    slugs.add(slug)
    own.set(language, { ...text, slug })
  }
  return { slugs: [...slugs], rows: servedTexts({ ...writing.source, own }, site) }
}

function ownAfter(before: TextSource, { changes }: TextWriting): Map<string, OwnText> {
  const own = new Map(before.own)
  for (const [language, change] of changes) own.set(language, changed(own.get(language) ?? {}, change))
  for (const [language, text] of own) if (Object.keys(text).length === 0) own.delete(language)
  return own
}

function changed(text: OwnText, change: TextChange): OwnText {
  const fields = textFields.map((field) => [field, change[field] === undefined ? text[field] : change[field]] as const)
  return Object.fromEntries(fields.filter(([, value]) => value != null))
}

/** Empty: none. */
function wantedSlug({ id, changes, slugs }: TextWriting, language: string, text: OwnText): string {
  const given = changes.get(language)?.slug
  const wanted = given != null ? slugify(given) : (text.slug ?? '')
  return wanted === '' && slugs === 'from names' && text.name !== undefined ? slugify(text.name) || `${id}` : wanted
}

/** Claims what is new, frees what is gone. */
async function settleSlugs(
  tx: Tx,
  kind: RecordKind,
  writing: TextWriting,
  before: ReadonlyMap<string, OwnText>,
  own: Map<string, OwnText>,
): Promise<void> {
  const { id, source } = writing
  for (const [language, text] of own) {
    const wanted = wantedSlug(writing, language, text)
    if (wanted === '') continue
    // A slug that is forgotten comes back when the name makes the same one.
    const isOwn = wanted === before.get(language)?.slug
    const [slug = wanted] = isOwn ? [] : await claimSlugs(tx, kind, [{ id, slug: wanted }])
    own.set(language, { ...text, slug })
  }
  if (source) return
  const kept = [...own.values()].flatMap(({ slug }) => slug || [])
  await releaseSlugs(tx, kind, id, kept)
}
