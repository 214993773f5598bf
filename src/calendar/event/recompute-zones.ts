// The instants of an event depend on its wall clock and the rules of its time zone, which governments change.

import { dateToWallClock } from '../../basics/time.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { nextModifiedAt } from '../lifecycle/modified-at.ts'
import { recomputeInstants } from './schedule.ts'

interface ZonesContext {
  readonly db: Db
  readonly settings: { readonly defaultLanguage: string }
  readonly now: () => Date
}

/** An event whose start or end is another instant since the rules of its time zone changed. */
export type MovedEvent = Awaited<ReturnType<typeof recomputeEventInstants>>['moved'][number]

/** Number of events per query, to bound memory. */
const batch = 1000

/** Recomputes the instants of all events in one transaction, with the time zone rules of this process. */
export async function recomputeEventInstants(
  { db, settings, now }: ZonesContext,
  { dryRun }: { readonly dryRun: boolean },
) {
  const moved: ReturnType<typeof describeMove>[] = []
  /** Events with an unknown time zone, which stay unchanged. */
  const unknownZones: Pick<Row, 'id' | 'timeZone'>[] = []
  let events = 0
  const work = async (tx: Tx) => {
    for (let last = 0; ; ) {
      const rows = await readBatch(tx, last, settings.defaultLanguage)
      events += rows.length
      for (const row of rows) {
        const { id, timeZone, modifiedAt } = row
        last = id
        const after = recomputeInstants(row)
        if (!after) unknownZones.push({ id, timeZone })
        if (!after || (+row.startsAt === +after.startsAt && +row.endsAt === +after.endsAt)) continue
        if (!dryRun) {
          const data = { ...after, modifiedAt: nextModifiedAt(modifiedAt, now()), sequence: { increment: 1 } }
          const { count } = await tx.event.updateMany({ where: { id, modifiedAt }, data })
          // The event was changed in the meantime: that write has computed the instants already.
          if (count === 0) continue
        }
        moved.push(describeMove(row, after))
      }
      if (rows.length < batch) return
    }
  }
  await db.$transaction(work, { timeout: 600_000 })
  return { dryRun, events, moved, unknownZones }
}

const readBatch = (tx: Tx, after: number, language: string) =>
  tx.event.findMany({
    where: { id: { gt: after } },
    orderBy: { id: 'asc' },
    take: batch,
    select: {
      ...{ id: true, timeZone: true, modifiedAt: true },
      ...{ startsLocal: true, endsLocal: true, startsAt: true, endsAt: true },
      texts: { where: { language }, select: { name: true } },
    },
  })

type Row = Awaited<ReturnType<typeof readBatch>>[number]

const describeMove = (row: Row, after: Pick<Row, 'startsAt' | 'endsAt'>) => ({
  id: row.id,
  title: row.texts[0]?.name ?? '',
  timeZone: row.timeZone,
  startsLocal: dateToWallClock(row.startsLocal),
  endsLocal: dateToWallClock(row.endsLocal),
  startsAt: { before: row.startsAt, after: after.startsAt },
  endsAt: { before: row.endsAt, after: after.endsAt },
})
