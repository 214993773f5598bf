// Removes the records of the sample that nobody has changed or that are in the trash, and that no other record uses.

import type { Db } from '../../engine/postgres/client.ts'
import {
  SampleDeleteCategoryDocument,
  SampleDeleteEventDocument,
  SampleDeleteImageDocument,
  SampleDeleteOrganizerDocument,
  SampleDeleteTagDocument,
  SampleDeleteVenueDocument,
} from '../../generated/graphql/graphql.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost } from '../../kinds.ts'
import { openLedger } from '../import-site/ledger.ts'
import type { Operations } from '../operations.ts'
import { type SampleKind, sampleKinds } from './load.ts'
import { sampleName } from './remembered.ts'
import { samplePictures } from './town.ts'

export interface SampleRemoval {
  /** Numbers of removed records by kind. */
  readonly rows: Readonly<Record<string, number>>
  readonly kept: readonly KeptRecord[]
}

interface KeptRecord {
  readonly kind: SampleKind | 'image'
  readonly id: number
  readonly name: string
  readonly reason: string
}

const deletions = {
  event: SampleDeleteEventDocument,
  venue: SampleDeleteVenueDocument,
  organizer: SampleDeleteOrganizerDocument,
  category: SampleDeleteCategoryDocument,
  tag: SampleDeleteTagDocument,
}

/** The records that use one of this kind. Events are removed before what they use. */
const countUses: Readonly<Record<SampleKind, (db: Db, id: number) => Promise<number>>> = {
  event: (db, parentId) => db.event.count({ where: { parentId } }),
  venue: (db, venueId) => db.eventVenue.count({ where: { venueId } }),
  organizer: (db, organizerId) => db.eventOrganizer.count({ where: { organizerId } }),
  category: async (db, id) =>
    (await db.eventCategory.count({ where: { categoryId: id } })) +
    (await db.category.count({ where: { parentId: id } })),
  tag: (db, tagId) => db.eventTag.count({ where: { tagId } }),
}

export async function removeSample(operations: Operations): Promise<SampleRemoval> {
  const { db, settings } = operations.session
  const ledger = await openLedger(db, sampleName)
  const kept: KeptRecord[] = []
  const rows: Record<string, number> = {}
  for (const kind of sampleKinds) {
    rows[kind] = 0
    // Children come after their parents, and keep them in use.
    for (const { recordId: id, recordVersion, currentVersion } of ledger.entries(kind).toReversed()) {
      const problem = await remove(operations, kind, { id, recordVersion, currentVersion })
      if (problem === undefined) {
        if (currentVersion !== null) rows[kind] += 1
        await db.importedRecord.deleteMany({ where: { site: sampleName, kind, recordId: id } })
      } else {
        kept.push({ kind, id, name: await readName(db, kind, id, settings.defaultLanguage), reason: problem })
      }
    }
  }
  const images = await removeImages(operations)
  return { rows: { ...rows, image: images.removed }, kept: [...kept, ...images.kept] }
}

interface Remembered {
  readonly id: number
  readonly recordVersion: string
  /** Null: it was deleted already. */
  readonly currentVersion: string | null
}

const [changed, inUse] = ['it was changed', 'other records use it']

/** The reason why it is kept; undefined if it was removed. */
async function remove(
  { session: { db }, execute }: Operations,
  kind: SampleKind,
  { id, recordVersion, currentVersion }: Remembered,
): Promise<string | undefined> {
  if (currentVersion === null) return undefined
  if (currentVersion !== recordVersion && !(await isInTrash(db, kind, id))) return changed
  if ((await countUses[kind](db, id)) > 0) return inUse
  const ifUnmodifiedSince = isPost(kind) ? { ifUnmodifiedSince: new Date(Number(currentVersion)) } : {}
  const { outcome } = await execute(deletions[kind], { input: { id: String(id), ...ifUnmodifiedSince } })
  return outcome?.userErrors.map(({ message }) => message).join(' ') || undefined
}

/** Being moved there was the last change of a record in the trash. */
async function isInTrash(db: Db, kind: SampleKind, id: number): Promise<boolean> {
  if (!isPost(kind)) return false
  const rows = await db.$queryRaw<
    object[]
  >`SELECT FROM ${Prisma.raw(`"${kind}"`)} WHERE id = ${id} AND status = 'trash'`
  return rows.length > 0
}

async function readName(db: Db, kind: SampleKind, id: number, language: string): Promise<string> {
  const [texts, key] = [Prisma.raw(`"${kind}_text"`), Prisma.raw(`"${kind}_id"`)]
  const [row] = await db.$queryRaw<{ name: string }[]>`
    SELECT name FROM ${texts} WHERE ${key} = ${id} AND language = ${language}`
  return row?.name ?? ''
}

/** They have no names, and are not in the ledger. */
async function removeImages({ session: { db }, execute }: Operations) {
  const kept: KeptRecord[] = []
  const images = await db.image.findMany({
    where: { url: { in: Object.values(samplePictures()).map(({ url }) => url) }, authorId: null },
    include: { _count: { select: { events: true, venues: true, organizers: true } } },
    orderBy: { id: 'asc' },
  })
  for (const { id, url, createdAt, modifiedAt, _count } of images) {
    const isUsed = Object.values(_count).some((count) => count > 0)
    if (isUsed) kept.push({ kind: 'image', id, name: url, reason: inUse })
    else if (modifiedAt > createdAt) kept.push({ kind: 'image', id, name: url, reason: changed })
    else await execute(SampleDeleteImageDocument, { input: { id: String(id) } })
  }
  return { removed: images.length - kept.length, kept }
}
