// Writes the texts of a record in one or several languages, reserves its slugs, and updates the copies in other languages.
import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { kinds, type RecordKind } from '../../kinds.ts'
import { insertFreeSlugs, releaseSlugs, reserveUniqueSlugs, slugify } from './slug.ts'
import {
  insertTextRows,
  insertTextRowsSql,
  type OwnText,
  readWrittenTexts,
  type SiteLanguages,
  type TextField,
  type TextsAsWritten,
  textFields,
  toServedTextRows,
} from './text-rows.ts'

/** The change of one language. Undefined leaves a field unchanged. Null removes it, so that reads fall back to another language. */
export type TextChange = { readonly [field in TextField]?: string | null | undefined } & TextMarks

/** What a change of a text means for its translations. */
export interface TextMarks {
  /** Whether the change is a small correction, after which translations are still right. */
  readonly isMinor?: boolean | undefined
  /** `current`: the translation was compared with the original text. `inReview`: somebody else is to check it. */
  readonly state?: 'current' | 'inReview' | undefined
}

/** The texts of a record to write: `changes` are by language. */
export interface RecordTexts {
  readonly id: number
  readonly changes: ReadonlyMap<string, TextChange>
  /** `derived`: a text without a slug gets a slug from its name. `explicit`: it gets none, for drafts of events and trashed records. */
  readonly slugs: 'derived' | 'explicit'
}

export async function saveRecordTexts(
  tx: Tx,
  kind: RecordKind,
  writing: RecordTexts,
  site: SiteLanguages,
): Promise<void> {
  const [before] = await readWrittenTexts(tx, kind, [writing.id])
  if (!before) throw new Error(`There is no ${kind} ${writing.id}`)
  await (before.own.size === 0 ? writeNewRecordTexts : rewriteText)(tx, kind, before, writing, site)
}

/**
 * Writes the texts and slugs of a new record in one statement, unless a slug is taken. `inserts` are further parts of the
 * WITH clause, to save round trips.
 */
export async function writeNewRecordTexts(
  tx: Tx,
  kind: RecordKind,
  source: TextsAsWritten,
  writing: RecordTexts,
  site: SiteLanguages,
  inserts: readonly Prisma.Sql[] = [],
): Promise<void> {
  const own = applyChanges(source, writing)
  const slugs: string[] = []
  for (const [language, text] of own) {
    const slug = slugFor(writing, language, text)
    if (slug === '') continue
    own.set(language, { ...text, slug })
    if (!slugs.includes(slug)) slugs.push(slug)
  }
  const ids = slugs.map(() => source.id)
  const parts = [...inserts, Prisma.sql`reserved AS (${insertFreeSlugs(kind, slugs, ids)})`]
  const inserted = await tx.$executeRaw`
    WITH ${Prisma.join(parts)}
    ${insertTextRowsSql(kind, toServedTextRows({ ...source, own, revised: [...own.keys()] }, site))}
    WHERE (SELECT count(*) FROM reserved) = ${slugs.length}`
  if (inserted === 0) await rewriteText(tx, kind, source, writing, site)
  else await markTranslations(tx, kind, writing)
}

async function rewriteText(
  tx: Tx,
  kind: RecordKind,
  before: TextsAsWritten,
  writing: RecordTexts,
  site: SiteLanguages,
): Promise<void> {
  const own = applyChanges(before, writing)
  await updateSlugs(tx, kind, writing, before.own, own)
  const revised = [...writing.changes].flatMap(([language, change]) =>
    isRevised(before.own.get(language), own.get(language), change) ? [language] : [],
  )
  // Columns of venues and organizers that search covers may have changed, too.
  const isUnchanged = !before.searchedColumns?.length && revised.length === 0 && isDeepStrictEqual(before.own, own)
  if (!isUnchanged) await insertTextRows(tx, kind, toServedTextRows({ ...before, own, revised }, site))
  await markTranslations(tx, kind, writing)
}

/** Whether a change gives a text a new time, with which those of its translations are compared. */
const isRevised = (before: OwnText | undefined, after: OwnText | undefined, { state, isMinor = false }: TextChange) =>
  state !== undefined ||
  (!isMinor && (['name', 'description', 'excerpt'] as const).some((field) => before?.[field] !== after?.[field]))

async function markTranslations(tx: Tx, kind: RecordKind, { id, changes }: RecordTexts): Promise<void> {
  const { owner } = kinds[kind]
  const [table, column] = [Prisma.raw(`"${owner}_text"`), Prisma.raw(`"${owner}_id"`)]
  for (const [language, { state }] of changes) {
    if (state === undefined) continue
    await tx.$executeRaw`
      UPDATE ${table} SET in_review = ${state === 'inReview'} WHERE ${column} = ${id} AND language = ${language}`
  }
}

function applyChanges(before: TextsAsWritten, { changes }: RecordTexts): Map<string, OwnText> {
  const own = new Map(before.own)
  for (const [language, change] of changes) own.set(language, applyChange(own.get(language) ?? {}, change))
  for (const [language, text] of own) if (Object.keys(text).length === 0) own.delete(language)
  return own
}

function applyChange(text: OwnText, change: TextChange): OwnText {
  const fields = textFields.map((field) => [field, change[field] === undefined ? text[field] : change[field]] as const)
  const kept = fields.filter(([, value]) => value != null)
  // If all other texts of a language are removed, its slug is removed, too.
  const isOnlySlug = kept.every(([field]) => field === 'slug') && change.slug === undefined
  return isOnlySlug && Object.keys(text).some((field) => field !== 'slug') ? {} : Object.fromEntries(kept)
}

/** Returns the slug to reserve; an empty text for none. */
function slugFor({ id, changes, slugs }: RecordTexts, language: string, text: OwnText): string {
  const explicit = changes.get(language)?.slug
  const slug = explicit != null ? slugify(explicit) : (text.slug ?? '')
  return slug === '' && slugs === 'derived' && text.name !== undefined ? slugify(text.name) || `${id}` : slug
}

async function updateSlugs(
  tx: Tx,
  kind: RecordKind,
  writing: RecordTexts,
  before: ReadonlyMap<string, OwnText>,
  own: Map<string, OwnText>,
): Promise<void> {
  const { id } = writing
  for (const [language, text] of own) {
    const candidate = slugFor(writing, language, text)
    if (candidate === '') continue
    // If the client removes a slug and the name results in the same slug, the slug stays.
    const isOwn = candidate === before.get(language)?.slug
    const [slug = candidate] = isOwn ? [] : await reserveUniqueSlugs(tx, kind, [{ id, slug: candidate }])
    own.set(language, { ...text, slug })
  }
  if (before.size === 0) return
  const kept = [...own.values()].flatMap(({ slug }) => slug || [])
  await releaseSlugs(tx, kind, id, kept)
}
