// Changes of all dates of a series, from a mutation of one of its dates.
import { badInputError, trashedError } from '../../basics/errors.ts'
import { dateToWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { requireEditPermission, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import type { UpdateEventValues } from '../event/inputs.ts'
import { computeSchedule } from '../event/schedule.ts'
import { requireNotModifiedSince } from '../lifecycle/modified-at.ts'
import { reserveFormerSlugs } from '../lifecycle/post.ts'
import type { RecordIdentity } from '../lifecycle/trash.ts'
import { releaseSlugs } from '../text/slug.ts'
import { saveRecordTexts } from '../text/write-text.ts'
import { changeTimes, missingDateError } from './change-times.ts'
import { asSeries, copyContent, countDates, createContent, numberDates } from './dates.ts'
import { timeFields } from './expand-schedule.ts'
import { splitSchedule } from './split-schedule.ts'
import { type DateRow, type SeriesRow, toScheduleInput, toStoredSchedule } from './stored-schedule.ts'
import { nextModifiedAtOfDates, requireSeries, updateSeries } from './write.ts'

/** Throws badInputError if the input has a label or a note. */
export function refuseDateTexts({ dateLabel, dateNote }: UpdateEventValues, message: string): void {
  if (dateLabel == null && dateNote == null) return
  throw badInputError({
    ...(dateLabel != null && { dateLabel: message }),
    ...(dateNote != null && { dateNote: message }),
  })
}

/** Throws badInputError if the input of a date of a series has a schedule, or null. */
export function refuseSchedule({ schedule }: { readonly schedule?: unknown }): void {
  if (schedule === undefined) return
  const message =
    'Send the schedule of a series with updateEventSeries. Null makes a date a single event with the scope THIS, and a draft of a series with the scope ALL.'
  throw badInputError({ schedule: message })
}

/** Changes all dates of a series as one of them: other times are those of the rule that has the date. */
export async function updateAll(tx: Tx, date: DateRow, input: UpdateEventValues, context: Context): Promise<void> {
  const { id: _, currentSlug: __, scope: _c, dateLabel: _l, dateNote: _n, previousStartsAt: ___, ...others } = input
  const { startsLocal: _s, endsLocal: _e, startsAt: _sa, endsAt: _ea, timeZone: _z, allDay: _a, ...content } = others
  refuseDateTexts(input, 'A label or a note is of one date. Send it with the scope THIS.')
  const isMoved = timeFields.some((name) => input[name] != null)
  if (!isMoved && input.timeZone == null && input.allDay == null)
    return updateSeries(tx, date.seriesId, content, context)
  const { timeZone, allDay, ...times } = computeSchedule(input, date, context.settings)
  const before = toScheduleInput(await tx.series.findUniqueOrThrow({ where: { id: date.seriesId } }))
  const local = { startsLocal: dateToWallClock(times.startsLocal), endsLocal: dateToWallClock(times.endsLocal) }
  // Another time zone changes no local time, and a date that was moved says nothing about the others.
  const changed = isMoved ? changeTimes(before, date.originalStartsLocal, local, context) : undefined
  const schedule = { ...(changed?.schedule ?? before), timeZone, allDay }
  await updateSeries(tx, date.seriesId, { ...content, schedule }, context, changed)
  if ((await tx.event.count({ where: { id: date.id } })) === 0) throw missingDateError()
}

/** Moves a series to the trash, and releases its slugs. */
export async function trashSeries(tx: Tx, { seriesId }: DateRow, input: RecordIdentity, context: Context) {
  const { series, template } = await requireSeries(tx, seriesId, context)
  requireEditPermission(context.viewer, template)
  await requireNotModifiedSince(tx, 'series', series, input.ifUnmodifiedSince)
  if (template.status === 'trash') throw trashedError('series')
  const modifiedAt = await nextModifiedAtOfDates(tx, series, context.now)
  await asSeries(tx, seriesId, async () => {
    await tx.$executeRaw`
      UPDATE event SET status = 'trash', trashed_from = status, modified_at = ${modifiedAt}, sequence = sequence + 1
      WHERE series_id = ${seriesId}::int`
    await releaseSlugs(tx, 'event', seriesId)
    await tx.series.update({ where: { id: seriesId }, data: { modifiedAt, sequence: { increment: 1 } } })
  })
}

export async function restoreSeries(tx: Tx, { seriesId }: DateRow, input: RecordIdentity, context: Context) {
  const { series, template } = await requireSeries(tx, seriesId, context)
  requireEditPermission(context.viewer, template)
  await requireNotModifiedSince(tx, 'series', series, input.ifUnmodifiedSince)
  if (template.status !== 'trash') throw badInputError({ id: 'This series is not in the trash.' })
  const modifiedAt = await nextModifiedAtOfDates(tx, series, context.now)
  await asSeries(tx, seriesId, async () => {
    await tx.$executeRaw`
      UPDATE event SET status = coalesce(trashed_from, 'draft'), trashed_from = NULL, modified_at = ${modifiedAt},
        sequence = sequence + 1
      WHERE series_id = ${seriesId}::int`
    const slugs = await reserveFormerSlugs(tx, 'event', seriesId)
    const changes = new Map([...slugs].map(([language, slug]) => [language, { slug }]))
    await saveRecordTexts(tx, 'event', { id: seriesId, changes, slugs: 'explicit' }, context.settings)
    await tx.series.update({ where: { id: seriesId }, data: { modifiedAt, sequence: { increment: 1 } } })
  })
}

/** Deletes a series permanently, with all of its dates. */
export async function purgeSeries(tx: Tx, { seriesId }: DateRow, input: RecordIdentity, context: Context) {
  const { series } = await requireSeries(tx, seriesId, context)
  requirePermission(context.viewer, 'purge')
  await requireNotModifiedSince(tx, 'series', series, input.ifUnmodifiedSince)
  await tx.series.delete({ where: { id: seriesId } })
}

/** Makes a date and all later ones a series of their own, with the same IDs. Changes nothing if no date is before it. */
export async function splitSeries(tx: Tx, date: DateRow, series: SeriesRow, context: Context): Promise<void> {
  const { settings, now } = context
  countDates(context, 0, 'id')
  const start = date.originalStartsLocal
  const split = splitSchedule(toScheduleInput(series), dateToWallClock(start), settings)
  if (!split) return
  const modifiedAt = await nextModifiedAtOfDates(tx, series, now)
  const id = await createContent(tx)
  const rest = { ...series, id, uid: null, sequence: 0, modifiedAt, splitFromId: series.id }
  await tx.series.create({ data: { ...rest, schedule: toStoredSchedule(split.after) } })
  await copyContent(tx, series.id, id, date.status === 'trash')
  await tx.$executeRaw`
    UPDATE event SET series_id = ${id}::int, content_id = ${id}::int, modified_at = ${modifiedAt}
    WHERE series_id = ${series.id}::int AND original_starts_local >= ${dateToWallClock(start)}::timestamp`
  await asSeries(tx, id, () => numberDates(tx, id))
  // Of extra dates, all are stored, so that the split can be later than the last date of a rule that is.
  const computedUntil = series.computedUntil && series.computedUntil < start ? series.computedUntil : null
  await tx.series.update({
    where: { id: series.id },
    data: {
      ...{ schedule: toStoredSchedule(split.before), isEndless: false, computedUntil, modifiedAt },
      sequence: { increment: 1 },
    },
  })
}
