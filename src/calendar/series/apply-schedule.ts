// Gives a series the dates of its schedule, from today on. Past dates are never computed again.
import { badInputError } from '../../basics/errors.ts'
import { toWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Context } from '../../service/context.ts'
import { computeSchedule } from '../event/schedule.ts'
import { asSeries, detachDate, findTemplate, insertDates, maxDatesOfWrite, moveDates, numberDates } from './dates.ts'
import { expandSchedule } from './expand-schedule.ts'
import { planDates } from './plan-dates.ts'
import { type SeriesRow, toScheduleInput } from './stored-schedule.ts'

/**
 * Changes the dates of a series from those of its previous schedule. Returns what the new schedule is to exclude in addition, and
 * until when the series has its dates: null if it has all.
 */
export async function applySchedule(
  tx: Tx,
  series: SeriesRow,
  before: SeriesRow,
  { now, settings }: Pick<Context, 'now' | 'settings'>,
) {
  const { id, timeZone, allDay } = series
  const events = await tx.event.findMany({ where: { seriesId: id }, orderBy: [{ startsAt: 'asc' }, { id: 'asc' }] })
  const existing = events.map(({ changedFields, originalStartsLocal, ...event }) => ({
    ...event,
    originalStartsLocal: originalStartsLocal ?? event.startsLocal,
    changed: changedFields,
    isTrashed: false,
  }))
  const maxDates = Math.max(10_000, events.length + maxDatesOfWrite)
  const fromToday = { from: `${toWallClock(now, timeZone).slice(0, 10)}T00:00:00`, maxDates }
  const expanded = expandSchedule(toScheduleInput(series), now, settings, fromToday)
  const excludedBefore = expandSchedule(toScheduleInput(before), now, settings, fromToday).excluded
  const plan = planDates(existing, expanded, { now, timeZone, excludedBefore })
  const added = plan.added.slice(0, maxDatesOfWrite)
  const isCut = added.length < plan.added.length
  // Before its dates are detached: the series may have no other.
  const template = await findTemplate(tx, id)
  for (const detached of plan.detached) await detachDate(tx, { id: detached, seriesId: id })
  // Dates with times of their own keep their local times in another time zone.
  const isOther = timeZone !== before.timeZone || allDay !== before.allDay
  const rowOf = new Map(events.map((event) => [event.id, event]))
  const moved = plan.kept
    .filter(({ movesTimes, movesOriginal }) => movesTimes || movesOriginal || isOther)
    .map(({ id, date, movesTimes }) => ({
      ...{ id, date },
      times: movesTimes ? date : computeSchedule({ timeZone, allDay }, rowOf.get(id), settings),
    }))
  await asSeries(tx, id, async () => {
    await moveDates(tx, series, moved)
    if (template) await insertDates(tx, id, template.id, added)
    if (plan.deleted.length > 0) await tx.event.deleteMany({ where: { id: { in: [...plan.deleted] } } })
    await numberDates(tx, id)
  })
  if ((await tx.event.count({ where: { seriesId: id } })) === 0)
    throw badInputError({ schedule: 'The schedule has no date from today on.' })
  const local = isCut ? added.at(-1)?.startsLocal : expanded.computedUntil && new Date(`${expanded.computedUntil}Z`)
  return { excluded: plan.excludedDates, computedUntil: local || null }
}
