// IDs of imported records. Clients keep using the addresses of the legacy site, so records keep their IDs where possible.
import { idSequences, isPost, postKinds, type RecordKind, termKinds } from '../../content/kinds.ts'
import type { Tx } from '../../db/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { SourceId } from './source-records.ts'

type IdKind = RecordKind | 'image'

export interface RecordIds {
  /**
   * The ID for a new record; undefined if the database chooses it. No later record gets one of `others`, the IDs of the
   * translations on the site: clients may still know them.
   */
  choose(tx: Tx, kind: IdKind, id: SourceId | undefined, others?: readonly SourceId[]): Promise<number | undefined>
}

const maxId = 2_147_483_647

export function createRecordIds({ keepIds, dryRun }: { keepIds: boolean; dryRun: boolean }): RecordIds {
  let lastUnused = maxId
  return {
    choose: async (tx, kind, id, others = []) => {
      // A rolled back transaction would not give back the IDs of a sequence.
      if (dryRun) return lastUnused--
      if (!keepIds || id === undefined || !isId(id)) return undefined
      return reserveId(tx, kind, id, Math.max(id, ...others.filter(isId)))
    },
  }
}

const isId = (id: SourceId) => Number.isInteger(id) && id >= 1 && id <= maxId

/** The ID if no record of its family has it. The sequence moves past `last`, so that new records do not get these IDs. */
async function reserveId(tx: Tx, kind: IdKind, id: number, last: number): Promise<number | undefined> {
  const isOfPosts = kind === 'image' || isPost(kind)
  const sequence = idSequences[isOfPosts ? 'post' : 'term']
  const uses = (isOfPosts ? [...postKinds, 'image'] : termKinds).map(
    (table) => Prisma.sql`SELECT FROM ${Prisma.raw(`"${table}"`)} WHERE id = ${id}::int`,
  )
  const [row] = await tx.$queryRaw<{ last: number; isTaken: boolean }[]>`
    SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END)::int AS last,
      EXISTS (${Prisma.join(uses, ' UNION ALL ')}) AS "isTaken"
    FROM ${Prisma.raw(`"${sequence}"`)}`
  if (!row || row.isTaken) return undefined
  if (last > row.last) await advance(tx, sequence, last, last - row.last)
  return id
}

/** setval is only used for a distance that concurrent writes cannot cover meanwhile: it could move the sequence back. */
async function advance(tx: Tx, sequence: string, id: number, distance: number): Promise<void> {
  await (distance > 1000
    ? tx.$queryRaw`SELECT setval(${sequence}::regclass, ${id}::bigint)`
    : tx.$queryRaw`SELECT max(nextval(${sequence}::regclass)) FROM generate_series(1, ${distance}::int)`)
}
