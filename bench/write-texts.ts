import type { RecordKind } from '../src/content/kinds.ts'
import { claimSlugs, slugify } from '../src/content/text/slug.ts'
import { type OwnText, servedTexts, writeTexts } from '../src/content/text/text-rows.ts'
import type { Tx } from '../src/db/client.ts'
import type { Texts } from './texts.ts'

/** What the service runs with while it is measured. */
export const site = { languages: ['en', 'fr', 'es'], defaultLanguage: 'en' }

export interface Written {
  readonly texts: Texts
  /** Contact fields that search looks at. */
  readonly searched?: readonly string[]
}

export const originalLanguage = ({ texts }: Written): string => [...texts.keys()][0] ?? site.defaultLanguage

/** Gives records a slug in each of their languages, made from the name, and stores their served texts. */
export async function writeRecordTexts(
  tx: Tx,
  kind: RecordKind,
  records: readonly Written[],
  ids: readonly number[],
): Promise<void> {
  const idOf = (index: number) => ids[index] ?? 0
  const named = records.flatMap(({ texts }, index) =>
    [...texts].map(([language, text]) => ({ index, language, text, slug: slugify(text.name ?? '') })),
  )
  const claims = named.map(({ index, slug }) => ({ id: idOf(index), slug }))
  const slugs = await claimSlugs(tx, kind, claims)
  const own = records.map(() => new Map<string, OwnText>())
  for (const [position, { index, language, text }] of named.entries()) {
    own[index]?.set(language, { ...text, slug: slugs[position] ?? '' })
  }
  const rows = records.flatMap((record, index) => {
    const source = { id: idOf(index), original: originalLanguage(record), own: own[index] ?? new Map() }
    return servedTexts({ ...source, searchedColumns: record.searched ?? [] }, site)
  })
  await writeTexts(tx, kind, rows)
}
