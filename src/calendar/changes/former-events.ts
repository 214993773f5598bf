// What calendars know of the events of a page of changes: they recognize an event by its UID, and its newer version by a number.
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { uidOf, uidsFilter } from '../event/uid.ts'
import { getRecordReads } from '../list/records.ts'
import type { createChangeFinder, ListTraits } from './changed-records.ts'

export interface FormerEvent {
  /** UIDs by which the caller knew the event, and which no event of the list has now. */
  readonly uids: readonly string[]
  /** Number of the revision that cancels them. */
  readonly sequence: number
}

/** The largest integer of iCalendar. A deleted event does not come back, so no revision needs a higher number. */
const lastSequence = 2 ** 31 - 1

/** Returns what the caller knew of each event in the list since the window of the finder began; nothing for the first copy. */
export async function findFormerEvents(
  changes: readonly { readonly kind: RecordKind; readonly id: number }[],
  list: { readonly traits: ListTraits; readonly where: object } | undefined,
  finder: ReturnType<typeof createChangeFinder> | null,
  context: Context,
): Promise<ReadonlyMap<number, FormerEvent>> {
  const ids = changes.flatMap(({ kind, id }) => (kind === 'event' ? [id] : []))
  if (!finder || !list || ids.length === 0) return new Map()
  const seen = await finder.findSeen('event', ids, list.traits)
  const uids = new Map(
    [...seen].map(([id, stored]) => [id, [...new Set(stored.map((uid) => uidOf({ id, uid }, context.site)))]]),
  )
  const ofList = { AND: [list.where, uidsFilter([...uids.values()].flat(), context.site)] }
  const [current, rows] = (await Promise.all([
    getRecordReads(context, 'event').findMany({ where: ofList, select: { id: true, uid: true } }),
    context.reads.rows(Prisma.sql`SELECT id, sequence FROM event WHERE id = ANY (${ids})`),
  ])) as [{ id: number; uid: string | null }[], { id: number; sequence: number }[]]
  const taken = new Set(current.map((event) => uidOf(event, context.site)))
  const sequences = new Map(rows.map(({ id, sequence }) => [id, sequence + 1]))
  return new Map(
    [...uids].map(([id, all]) => [
      id,
      { uids: all.filter((uid) => !taken.has(uid)), sequence: sequences.get(id) ?? lastSequence },
    ]),
  )
}
