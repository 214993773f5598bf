// The instants of an event depend on its wall clock and the rules of its time zone, which governments change.

import { dateWallClock } from '../../basics/time.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { nextModifiedAt } from '../lifecycle/modified-at.ts'
import { recomputeInstants } from './schedule.ts'

interface Change {
  readonly before: Date
  readonly after: Date
}

export interface Moved {
  readonly id: number
  readonly title: string
  readonly timeZone: string
  readonly startsLocal: string
  readonly endsLocal: string
  readonly startsAt: Change
  readonly endsAt: Change
}

interface ZonesReport {
  readonly dryRun: boolean
  readonly events: number
  readonly moved: readonly Moved[]
  /** Events that are not changed because their time zone is unknown. */
  readonly unknownZones: readonly { readonly id: number; readonly timeZone: string }[]
}

interface ZonesContext {
  readonly db: Db
  readonly settings: { readonly defaultLanguage: string }
  readonly now: () => Date
}

/** Rows per query, to bound memory. */
const batch = 1000

/** Recomputes the instants of all events in one transaction, with the time zone rules of this process. */
export async function recomputeZones(
  { db, settings, now }: ZonesContext,
  { dryRun }: { readonly dryRun: boolean },
): Promise<ZonesReport> {
  const moved: Moved[] = []
  const unknownZones: { id: number; timeZone: string }[] = []
  let events = 0
  const work = async (tx: Tx) => {
    for (let last = 0; ; ) {
      const rows = await readBatch(tx, last)
      events += rows.length
      for (const row of rows) {
        last = row.id
        const after = recomputeInstants(row)
        if (!after) unknownZones.push({ id: row.id, timeZone: row.timeZone })
        if (!after || isSame(row, after)) continue
        const modifiedAt = nextModifiedAt(row.modifiedAt, now())
        if (!dryRun && !(await updateInstants(tx, row, { ...after, modifiedAt }))) continue
        moved.push(await describeMove(tx, row, after, settings.defaultLanguage))
      }
      if (rows.length < batch) return
    }
  }
  await db.$transaction(work, { timeout: 600_000 })
  return { dryRun, events, moved, unknownZones }
}

const readBatch = (tx: Tx, after: number) =>
  tx.event.findMany({
    where: { id: { gt: after } },
    orderBy: { id: 'asc' },
    take: batch,
    select: {
      ...{ id: true, timeZone: true, modifiedAt: true },
      ...{ startsLocal: true, endsLocal: true, startsAt: true, endsAt: true },
    },
  })

type Row = Awaited<ReturnType<typeof readBatch>>[number]
type Instants = Pick<Row, 'startsAt' | 'endsAt'>

const isSame = (a: Instants, b: Instants) =>
  a.startsAt.getTime() === b.startsAt.getTime() && a.endsAt.getTime() === b.endsAt.getTime()

/** Returns false if the event was changed in the meantime: that write has computed the instants already. */
async function updateInstants(
  tx: Tx,
  { id, modifiedAt }: Row,
  data: Instants & Pick<Row, 'modifiedAt'>,
): Promise<boolean> {
  const { count } = await tx.event.updateMany({
    where: { id, modifiedAt },
    data: { ...data, sequence: { increment: 1 } },
  })
  return count > 0
}

async function describeMove(tx: Tx, row: Row, after: Instants, language: string): Promise<Moved> {
  const text = await tx.eventText.findFirst({ where: { eventId: row.id, language }, select: { name: true } })
  return {
    id: row.id,
    title: text?.name ?? '',
    timeZone: row.timeZone,
    startsLocal: dateWallClock(row.startsLocal),
    endsLocal: dateWallClock(row.endsLocal),
    startsAt: { before: row.startsAt, after: after.startsAt },
    endsAt: { before: row.endsAt, after: after.endsAt },
  }
}
