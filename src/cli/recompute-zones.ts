// Moments of events follow from their wall clocks and zones; governments change the rules by which they do.

import { recomputeInstants } from '../content/event/schedule.ts'
import { nextModifiedAt } from '../content/lifecycle/mutation.ts'
import type { Tx } from '../db/client.ts'
import { dateWallClock } from '../time.ts'
import type { Session } from './session.ts'

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
  /** Events left as they are, since this version knows no such zone. */
  readonly unknownZones: readonly { readonly id: number; readonly timeZone: string }[]
}

/** Rows that are held in memory at a time. */
const batch = 1000

/** Gives events the moments that their wall clocks are by the zone rules of this process: all of them, or none. */
export async function recomputeZones({ db, settings, now }: Session, { dryRun }: { dryRun: boolean }) {
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
        if (!dryRun && !(await move(tx, row, { ...after, modifiedAt: nextModifiedAt(row.modifiedAt, now()) }))) continue
        moved.push(await tell(tx, row, after, settings.defaultLanguage))
      }
      if (rows.length < batch) return
    }
  }
  await db.$transaction(work, { timeout: 600_000 })
  return { dryRun, events, moved, unknownZones } satisfies ZonesReport
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
type Moments = Pick<Row, 'startsAt' | 'endsAt'>

const isSame = (one: Moments, other: Moments) =>
  one.startsAt.getTime() === other.startsAt.getTime() && one.endsAt.getTime() === other.endsAt.getTime()

/** Unless somebody changed it meanwhile: the service that did knows the rules, too. */
async function move(tx: Tx, { id, modifiedAt }: Row, data: Moments & Pick<Row, 'modifiedAt'>): Promise<boolean> {
  const { count } = await tx.event.updateMany({ where: { id, modifiedAt }, data })
  return count > 0
}

async function tell(tx: Tx, row: Row, after: Moments, language: string): Promise<Moved> {
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
