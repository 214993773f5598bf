// Chooses the IDs of imported records. Clients keep using the URLs of the legacy site, so records keep their IDs if possible.
import type { Db } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { idSequences, isPost, postKinds, type RecordKind, termKinds } from '../../kinds.ts'
import type { SourceId } from './source-records.ts'

type IdKind = RecordKind | 'image' | 'user'

const maxId = 2_147_483_647
const isId = (id: SourceId) => Number.isInteger(id) && id >= 1 && id <= maxId

/** IDs of new records start at a multiple of this number, so that records that the site adds later can keep their IDs. */
const room = 1_000_000

/** A sequence of IDs, with the tables that use it. */
interface Family {
  readonly sequence: string
  readonly tables: readonly string[]
}

function familyOf(kind: IdKind): Family {
  if (kind === 'user') return { sequence: 'user_id_seq', tables: ['user'] }
  if (kind === 'image' || isPost(kind)) return { sequence: idSequences.post, tables: [...postKinds, 'series', 'image'] }
  return { sequence: idSequences.term, tables: termKinds }
}

export type IdChooser = ReturnType<typeof createIdChooser>

export function createIdChooser(db: Db, { keepIds, dryRun }: { readonly keepIds: boolean; readonly dryRun: boolean }) {
  let lastUnused = maxId
  /** Sequences that were moved already, so that new IDs are above the IDs of the site. */
  const movedOn = new Set<string>()
  /**
   * Returns the ID for a new record; undefined if the database chooses it. `others`: the IDs of the translations on the
   * site, which no later record gets, because clients may still use them.
   */
  return async (kind: IdKind, id: SourceId | undefined, others: readonly SourceId[] = []) => {
    // A dry run must not take IDs from the sequence: a rollback would not return them.
    if (dryRun) return lastUnused--
    if (!keepIds) return undefined
    const family = familyOf(kind)
    const sourceId = id !== undefined && isId(id) ? id : undefined
    const { last, isTaken } = await findId(db, family, sourceId ?? 0)
    if (sourceId !== undefined && !isTaken) {
      await advance(db, family, last, Math.max(sourceId, ...others.filter(isId)))
      return sourceId
    }
    const next = Math.ceil((Math.max(last, sourceId ?? 0) + 1) / room) * room
    if (movedOn.has(family.sequence) || !isId(next)) return undefined
    await advance(db, family, last, next)
    movedOn.add(family.sequence)
    return next
  }
}

/** Moves the sequence of posts past the IDs of a site, with room for later ones: series get IDs, too. */
export async function reservePostIds(db: Db, ids: readonly SourceId[]): Promise<void> {
  const family = familyOf('event')
  const { last } = await findId(db, family, 0)
  const highest = ids.filter(isId).reduce((a, b) => Math.max(a, b), 0)
  await advance(db, family, last, Math.ceil((highest + 1) / room) * room)
}

/** Returns the last ID of the sequence, and whether a record has the ID `id`. */
async function findId(db: Db, { sequence, tables }: Family, id: number) {
  const uses = tables.map((table) => Prisma.sql`SELECT FROM ${Prisma.raw(`"${table}"`)} WHERE id = ${id}::int`)
  const [row] = await db.$queryRaw<{ last: number; isTaken: boolean }[]>`
    SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END)::int AS last,
      EXISTS (${Prisma.join(uses, ' UNION ALL ')}) AS "isTaken"
    FROM ${Prisma.raw(`"${sequence}"`)}`
  if (!row) throw new Error(`The sequence ${sequence} has no row`)
  return row
}

/**
 * Moves the sequence past `id`, so that new records do not get this ID. setval is used only over long distances: if
 * concurrent writes passed `id` meanwhile, setval would move the sequence back.
 */
async function advance(db: Db, { sequence }: Family, last: number, id: number): Promise<void> {
  const distance = id - last
  if (distance <= 0) return
  await (distance > 1000
    ? db.$queryRaw`SELECT setval(${sequence}::regclass, ${id}::bigint)`
    : db.$queryRaw`SELECT max(nextval(${sequence}::regclass)) FROM generate_series(1, ${distance}::int)`)
}
