// Gives a series the dates of another schedule, from today on. Past dates are never computed again.
import { badInputError } from '../../basics/errors.ts'
import { dateToWallClock, toWallClock, wallClockToDate } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Context } from '../../service/context.ts'
import { computeSchedule } from '../event/schedule.ts'
import type { ChangedTimes } from './change-times.ts'
import {
  asSeries,
  countDates,
  detachDate,
  findTemplate,
  insertDates,
  maxDatesOfWrite,
  moveDates,
  numberDates,
  replaceEvents,
} from './dates.ts'
import { type ExpandedSchedule, expandSchedule } from './expand-schedule.ts'
import { planDates } from './plan-dates.ts'
import type { SeriesScheduleInput } from './schedule.ts'
import { type DateRow, type SeriesRow, toScheduleInput, toStoredSchedule } from './stored-schedule.ts'

/** The columns of a series that its schedule decides. */
export const scheduleColumns = (
  schedule: SeriesScheduleInput,
  { isEndless, computedUntil }: Pick<ExpandedSchedule, 'isEndless' | 'computedUntil'>,
  { settings }: Pick<Context, 'settings'>,
) => ({
  timeZone: schedule.timeZone || settings.siteTimeZone,
  allDay: schedule.allDay ?? false,
  schedule: toStoredSchedule(schedule),
  isEndless,
  computedUntil: computedUntil === undefined ? null : wallClockToDate(computedUntil),
})

/** Plans the change of a series to another schedule. Returns its columns, and what changes its dates after these were written. */
export async function planSchedule(
  tx: Tx,
  schedule: SeriesScheduleInput,
  before: SeriesRow,
  context: Context,
  changed?: ChangedTimes,
) {
  const { now, settings } = context
  const { id } = before
  const found = await tx.event.findMany({ where: { seriesId: id }, orderBy: [{ startsAt: 'asc' }, { id: 'asc' }] })
  const events = (found as DateRow[]).map((event) => ({ ...event, changed: event.changedFields }))
  const timeZone = schedule.timeZone || settings.siteTimeZone
  const maxDates = Math.max(10_000, events.length + maxDatesOfWrite)
  const fromToday = { from: `${toWallClock(now, timeZone).slice(0, 10)}T00:00:00`, maxDates }
  const expanded = expandSchedule(schedule, now, settings, fromToday)
  const earlier = toScheduleInput(before)
  const kept = context.importing?.excludedBefore ?? earlier.excludedDates
  const excludedBefore =
    kept.length > 0 ? expandSchedule({ ...earlier, excludedDates: kept }, now, settings, fromToday).excluded : []
  const ofChanged = changed ? expandSchedule(earlier, now, settings, fromToday).dates : []
  const newStarts = new Map(
    ofChanged
      .filter(({ recurrence }) => recurrence === changed?.recurrence)
      .map(({ startsLocal }) => dateToWallClock(startsLocal))
      .map((local) => [local, changed?.newStartOf(local) ?? local]),
  )
  const plan = planDates(events, expanded, { now, timeZone, excludedBefore, newStarts })
  const added = plan.added.slice(0, maxDatesOfWrite)
  countDates(context, added.length, 'schedule')
  const excludedDates = [...(schedule.excludedDates ?? []), ...plan.excludedDates]
  const columns = scheduleColumns({ ...schedule, excludedDates }, expanded, context)
  if (added.length < plan.added.length) columns.computedUntil = added.at(-1)?.startsLocal ?? null
  const { allDay } = columns
  return { columns, write }

  async function write(): Promise<void> {
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
      await moveDates(tx, { id, timeZone, allDay }, moved)
      if (template) await insertDates(tx, id, template.id, await replaceEvents(tx, added, context.importing?.dateIds))
      if (plan.deleted.length > 0) await tx.event.deleteMany({ where: { id: { in: [...plan.deleted] } } })
      await numberDates(tx, id)
    })
    if ((await tx.event.count({ where: { seriesId: id } })) === 0)
      throw badInputError({ schedule: 'The schedule has no date from today on.' })
  }
}
