// Makes a single event a date of a series, and a date of a series a single event.
import { badInputError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import { dateToWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import type { UpdateEventValues } from '../event/inputs.ts'
import { randomUid, uidOf } from '../event/uid.ts'
import { updateEvent } from '../event/write.ts'
import { releaseSlugs } from '../text/slug.ts'
import { asSeries, copyContent, countDates, createContent, detachDate, insertDates, numberDates } from './dates.ts'
import { timeFields, timesOf } from './expand-schedule.ts'
import { requireValidSize } from './preview.ts'
import type { SeriesScheduleInput } from './schedule.ts'
import type { DateRow, SeriesRow } from './stored-schedule.ts'
import { excludeDate, expandNewSchedule } from './write.ts'

/** Updates a single event that is locked, and makes it a date of a new series, which gets its content. Returns its ID. */
export async function startSeries(
  tx: Tx,
  before: Prisma.EventGetPayload<object>,
  schedule: SeriesScheduleInput,
  input: UpdateEventValues,
  context: Context,
): Promise<number> {
  if ([...timeFields, 'timeZone' as const, 'allDay' as const].some((name) => input[name] != null))
    throw badInputError({
      schedule: 'Send either a schedule, or the times of a single event: the schedule has its own.',
    })
  requireValidSize(schedule)
  const { site } = context
  const { id, expanded } = await checkAll({
    id: () => updateEvent(tx, before, input, context),
    expanded: () => expandNewSchedule(schedule, context),
  })
  const { dates, columns } = expanded
  const event = await tx.event.findUniqueOrThrow({ where: { id } })
  countDates(context, dates.length, 'schedule')
  const local = dateToWallClock(event.startsLocal)
  const startsWith = (text: string) => dates.find(({ startsLocal }) => dateToWallClock(startsLocal).startsWith(text))
  const own = startsWith(local) ?? startsWith(local.slice(0, 10)) ?? dates[0]
  if (!own) throw badInputError({ schedule: 'The schedule has no date.' })
  const { eventStatus, attendanceMode, onlineUrl, hideFromListings, sequence, modifiedAt } = event
  const ofDates = { eventStatus, attendanceMode, onlineUrl, hideFromListings }
  const seriesId = await createContent(tx)
  await tx.series.create({
    data: { id: seriesId, ...columns, ...ofDates, uid: uidOf(event, site), sequence, modifiedAt },
  })
  await releaseSlugs(tx, 'event', id)
  await copyContent(tx, id, seriesId, event.status === 'trash')
  const { timeZone, allDay } = columns
  await tx.event.update({
    where: { id },
    data: {
      ...{ ...timesOf(own), timeZone, allDay, originalStartsLocal: own.startsLocal, isExtra: own.isExtra },
      ...{ contentId: seriesId, seriesId, formerSeriesId: null },
      // Calendars know the event by its UID, which is that of the series now.
      uid: event.uid === null ? randomUid(site) : null,
    },
  })
  await tx.content.delete({ where: { id } })
  await asSeries(tx, seriesId, async () => {
    await insertDates(tx, seriesId, id, dates)
    await numberDates(tx, seriesId)
  })
  return id
}

/** Deletes the other dates of a series that was not published yet. Throws badInputError for another series. */
export async function deleteOtherDates(tx: Tx, date: DateRow, context: Context): Promise<void> {
  const others = { seriesId: date.seriesId, id: { not: date.id } }
  const count = await tx.event.count({ where: others })
  if (count === 0) return
  if (date.status !== 'draft' && date.status !== 'pending')
    throw badInputError({
      schedule:
        'Null, with the scope ALL, deletes the other dates of a draft or a pending series. This series has another status: send the scope THIS, after which the other dates remain.',
    })
  countDates(context, count, 'schedule')
  await asSeries(tx, date.seriesId, () => tx.event.deleteMany({ where: others }))
}

/** Makes a date an event of its own, without a place in the schedule of the series. Deletes the series with its last date. */
export async function leaveSeries(tx: Tx, date: DateRow, series: SeriesRow, context: Context) {
  const where = { id: date.id }
  const isLast = (await tx.event.count({ where: { seriesId: series.id } })) === 1
  // The event gets what identified the series: its slugs, and its UID.
  if (isLast) await releaseSlugs(tx, 'event', series.id)
  await detachDate(tx, date)
  if (!isLast) {
    await excludeDate(tx, series, date, context)
    return tx.event.findUniqueOrThrow({ where })
  }
  await tx.series.delete({ where: { id: series.id } })
  const sequence = Math.max(series.sequence, date.sequence)
  return tx.event.update({ where, data: { uid: series.uid, sequence } })
}
