import { reserveUniqueSlugs, slugify } from '../src/calendar/text/slug.ts'
import { insertTextRows, type OwnText, toServedTextRows } from '../src/calendar/text/text-rows.ts'
import type { Tx } from '../src/engine/postgres/client.ts'
import type { RecordKind } from '../src/kinds.ts'
import type { Texts } from './texts.ts'

/** Language settings of the measured service. */
export const site = { languages: ['en', 'fr', 'es'], defaultLanguage: 'en' }

export interface TextRecord {
  readonly texts: Texts
  /** Contact fields that are searched. */
  readonly searched?: readonly string[]
}

export const originalLanguage = ({ texts }: TextRecord): string => [...texts.keys()][0] ?? site.defaultLanguage

/** Creates slugs from the names, in each language, and stores the texts of records. */
export async function writeRecordTexts(
  tx: Tx,
  kind: RecordKind,
  records: readonly TextRecord[],
  ids: readonly number[],
): Promise<void> {
  const idOf = (index: number) => ids[index] ?? 0
  const named = records.flatMap(({ texts }, index) =>
    [...texts].map(([language, text]) => ({ index, language, text, slug: slugify(text.name ?? '') })),
  )
  const claims = named.map(({ index, slug }) => ({ id: idOf(index), slug }))
  const slugs = await reserveUniqueSlugs(tx, kind, claims)
  const own = records.map(() => new Map<string, OwnText>())
  for (const [position, { index, language, text }] of named.entries()) {
    own[index]?.set(language, { ...text, slug: slugs[position] ?? '' })
  }
  const rows = records.flatMap((record, index) => {
    const source = { id: idOf(index), original: originalLanguage(record), own: own[index] ?? new Map() }
    return toServedTextRows({ ...source, searchedColumns: record.searched ?? [] }, site)
  })
  await insertTextRows(tx, kind, rows)
}
