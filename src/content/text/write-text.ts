// Writing text: into one language or several, with the slugs that go with it, and the copies renewed.
import type { Tx } from '../../db/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../kinds.ts'
import { claimSlugs, releaseSlugs, reserveSlugs, slugify } from './slug.ts'
import {
  insertTexts,
  type OwnText,
  readTextSources,
  type SiteLanguages,
  servedTexts,
  type TextField,
  type TextSource,
  textFields,
  writeTexts,
} from './text-rows.ts'

/** What is written in one language: undefined leaves a field as it is, null forgets it, so that another is served. */
export type TextChange = { readonly [field in TextField]?: string | null | undefined }

export interface TextWriting {
  readonly id: number
  /** By language. */
  readonly changes: ReadonlyMap<string, TextChange>
  /** Records without slugs yet (drafts of events, what is in the trash) are given none but those that are asked for. */
  readonly slugs: 'from names' | 'as given'
}

/** Writes the text of one record, new or not; its row must be there. */
export async function writeText(tx: Tx, kind: RecordKind, writing: TextWriting, site: SiteLanguages): Promise<void> {
  const [before] = await readTextSources(tx, kind, [writing.id])
  if (!before) throw new Error(`No ${kind} ${writing.id} to write text of`)
  await (before.own.size === 0 ? writeFirstText : rewriteText)(tx, kind, before, writing, site)
}

/**
 * Writes the text and slugs of a new record by one statement, unless a slug is taken. `inserts` are further parts of its
 * WITH clause: what else belongs to the record, since each statement of a transaction takes a round trip.
 */
export async function writeFirstText(
  tx: Tx,
  kind: RecordKind,
  source: TextSource,
  writing: TextWriting,
  site: SiteLanguages,
  inserts: readonly Prisma.Sql[] = [],
): Promise<void> {
  const own = ownAfter(source, writing)
  const slugs: string[] = []
  for (const [language, text] of own) {
    const slug = wantedSlug(writing, language, text)
    if (slug === '') continue
    own.set(language, { ...text, slug })
    if (!slugs.includes(slug)) slugs.push(slug)
  }
  const ids = slugs.map(() => source.id)
  const parts = [...inserts, Prisma.sql`reserved AS (${reserveSlugs(kind, slugs, ids)})`]
  const inserted = await tx.$executeRaw`
    WITH ${Prisma.join(parts)}
    ${insertTexts(kind, servedTexts({ ...source, own }, site))}
    WHERE (SELECT count(*) FROM reserved) = ${slugs.length}`
  if (inserted === 0) await rewriteText(tx, kind, source, writing, site)
}

async function rewriteText(
  tx: Tx,
  kind: RecordKind,
  before: TextSource,
  writing: TextWriting,
  site: SiteLanguages,
): Promise<void> {
  const own = ownAfter(before, writing)
  await settleSlugs(tx, kind, writing, before.own, own)
  await writeTexts(tx, kind, servedTexts({ ...before, own }, site))
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
  const { id } = writing
  for (const [language, text] of own) {
    const wanted = wantedSlug(writing, language, text)
    if (wanted === '') continue
    // A slug that is forgotten comes back when the name makes the same one.
    const isOwn = wanted === before.get(language)?.slug
    const [slug = wanted] = isOwn ? [] : await claimSlugs(tx, kind, [{ id, slug: wanted }])
    own.set(language, { ...text, slug })
  }
  if (before.size === 0) return
  const kept = [...own.values()].flatMap(({ slug }) => slug || [])
  await releaseSlugs(tx, kind, id, kept)
}
