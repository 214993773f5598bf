// Creates and updates series. All dates have the same content, which is written once.
import { badInputError, notFoundError } from '../../basics/errors.ts'
import { checkAll, checkAtPath } from '../../basics/input-errors.ts'
import { dateToWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { authorIdOf, requirePermission } from '../../service/auth/permissions.ts'
import type { Context, ImportedRecordOptions } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { contentInputs } from '../event/inputs.ts'
import { insertEventLinksSql, replaceEventLinks } from '../event/links.ts'
import { ScheduleInput } from '../event/schedule-input.ts'
import { nextSequence, throwIfUidTaken } from '../event/uid.ts'
import { prepareEvent, replaceTickets, slugSource } from '../event/write.ts'
import { lockEventParents } from '../lifecycle/linked-records.ts'
import { ifUnmodifiedSinceField, nextModifiedAt } from '../lifecycle/modified-at.ts'
import { requirePostEdit, writeChangedPostTexts } from '../lifecycle/post.ts'
import { initialPublicationState, nextPublicationState } from '../lifecycle/publication-state.ts'
import { idDescription } from '../rules/identify.ts'
import { releaseSlugs } from '../text/slug.ts'
import { minorChangeField } from '../text/text-input.ts'
import { writeNewRecordTexts } from '../text/write-text.ts'
import { planSchedule, scheduleColumns } from './apply-schedule.ts'
import type { ChangedTimes } from './change-times.ts'
import {
  asSeries,
  countDates,
  createContent,
  dateColumns,
  findTemplate,
  insertDates,
  lockSeries,
  maxDatesOfWrite,
  numberDates,
  replaceEvents,
} from './dates.ts'
import { expandSchedule, findDate, timesOf } from './expand-schedule.ts'
import { requireValidSize } from './preview.ts'
import { parseSchedule, type SeriesScheduleInput } from './schedule.ts'
import { type DateRow, type SeriesRow, toScheduleInput, toStoredSchedule } from './stored-schedule.ts'

export const CreateEventSeriesInput = builder.inputType('CreateEventSeriesInput', {
  description: 'A new series. Its title and texts are in the language of the operation.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Title of the series as plain text, not empty.' }),
    schedule: t.field({ type: ScheduleInput, required: true, description: 'When the series takes place.' }),
    ...contentInputs(t),
  }),
})

export const UpdateEventSeriesInput = builder.inputType('UpdateEventSeriesInput', {
  description: 'Changes to a series. Fields that the input omits stay unchanged. Lists replace existing lists.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('series') }),
    title: t.string({ description: 'Title of the series as plain text, not empty.' }),
    schedule: t.field({
      type: ScheduleInput,
      description:
        'When the series takes place, instead of the previous schedule. Dates from today on change; they keep their ID if they have the same start, day or period of the rule as before. A date that was changed and has no place in the new schedule becomes an event of its own.',
    }),
    ...contentInputs(t),
    minorChange: minorChangeField(t),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

type CreateValues = typeof CreateEventSeriesInput.$inferInput
export type UpdateSeriesValues = Omit<typeof UpdateEventSeriesInput.$inferInput, 'id' | 'schedule'> & {
  readonly schedule?: SeriesScheduleInput | null | undefined
}

export async function createSeries(tx: Tx, given: CreateValues, context: Context): Promise<number> {
  const viewer = requirePermission(context.viewer, 'write')
  const { language, settings, now, importing } = context
  const state = initialPublicationState(given, viewer, now)
  requireValidSize(given.schedule)
  const input = { ...given, schedule: withImportedDates(given.schedule, context) }
  // Remains undefined if the schedule is invalid; the other fields are checked nevertheless.
  let startsAt: Date | undefined
  const { when, prepared } = await checkAll({
    when: async () => {
      const { columns, dates: expanded } = await expandNewSchedule(input.schedule, context)
      countDates(context, expanded.length, 'schedule')
      const dates = await replaceEvents(tx, expanded, importing?.dateIds)
      const [first] = dates
      if (!first) throw badInputError({ schedule: 'The schedule has no date.' })
      startsAt = first.startsAt
      return { schedule: columns, dates, first }
    },
    prepared: () =>
      prepareEvent(tx, input, { status: state.status, times: () => (startsAt ? { startsAt } : {}) }, context),
  })
  const { schedule, dates, first } = when
  const { timeZone, allDay } = schedule
  const { changes, links } = prepared
  const { uid, sequence, previousStartsAt: _, ...columns } = prepared.columns
  const id = await createContent(tx)
  const { eventStatus, attendanceMode, onlineUrl, hideFromListings } = columns
  const ofDates = { eventStatus, attendanceMode, onlineUrl, hideFromListings }
  const modifiedAt = importing?.modifiedAt ?? now
  await throwIfUidTaken(tx.series.create({ data: { id, ...schedule, ...ofDates, uid, sequence, modifiedAt } }))
  await asSeries(tx, id, async () => {
    const template = await tx.event.create({
      data: {
        ...{ ...columns, ...timesOf(first), timeZone, allDay, ...state },
        ...{ contentId: id, seriesId: id, originalStartsLocal: first.startsLocal },
        ...{ id: first.id, sequence, isExtra: first.isExtra, authorId: columns.authorId ?? authorIdOf(viewer) },
        trashedFrom: state.status === 'trash' ? 'draft' : null,
        modifiedAt,
        originalLanguage: language,
      },
      select: { id: true },
    })
    await replaceTickets(tx, id, input.tickets)
    const source = { id, original: language, own: new Map() }
    const writing = { id, changes, slugs: slugSource(state.status) }
    await writeNewRecordTexts(tx, 'event', source, writing, settings, insertEventLinksSql(id, links))
    if (state.status === 'trash') await releaseSlugs(tx, 'event', id)
    await insertDates(tx, id, template.id, dates.slice(1))
    await numberDates(tx, id)
  })
  return id
}

/** Returns the dates and the columns of a new series. */
export async function expandNewSchedule(schedule: SeriesScheduleInput, context: Context) {
  // expandSchedule does not count the first date of each rule.
  const maxDates = maxDatesOfWrite - schedule.recurrences.length
  const expanded = await checkAtPath(['schedule'], () =>
    expandSchedule(schedule, context.now, context.settings, { maxDates }),
  )
  return { dates: expanded.dates, columns: scheduleColumns(schedule, expanded, context) }
}

/** Adds the dates of an import, which may be more than an input can have. */
const withImportedDates = <Input extends SeriesScheduleInput>(schedule: Input, { importing }: Context): Input => ({
  ...schedule,
  ...(importing?.extraDates && { extraDates: importing.extraDates }),
  ...(importing?.excludedDates && { excludedDates: importing.excludedDates }),
})

/** Locks a series, and returns it with one of its dates. Throws an error if it does not exist, or for users who may not write. */
export async function requireSeries(tx: Tx, id: number, context: Context) {
  requirePermission(context.viewer, 'write')
  const series = await lockSeries(tx, id)
  const template = series && (await findTemplate(tx, id))
  if (!template) throw notFoundError('series', 'id')
  countDates(context, await tx.event.count({ where: { seriesId: id } }), 'id')
  return { series, template }
}

/** `changed`: how the dates of a recurrence rule move, if the new schedule is that of `changeTimes`. */
export async function updateSeries(
  tx: Tx,
  id: number,
  input: UpdateSeriesValues,
  context: Context,
  changed?: ChangedTimes,
): Promise<void> {
  const { settings, now, importing } = context
  if (input.parentId != null) await lockEventParents(tx)
  const { series, template } = await requireSeries(tx, id, context)
  const before = { ...template, modifiedAt: series.modifiedAt, uid: series.uid, sequence: series.sequence }
  const viewer = await requirePostEdit(tx, 'series', { ...before, id }, input, context)
  const state = nextPublicationState(input, before, viewer, now)
  const trashing = state.status === 'trash' && before.status !== 'trash'
  const schedule = input.schedule && withImportedDates(input.schedule, context)
  const times = async () => {
    // Planning, which needs the written content, would report errors of the schedule without those of other fields.
    if (schedule) await checkAtPath(['schedule'], () => parseSchedule(schedule, settings))
    return {}
  }
  const prepared = await prepareEvent(tx, input, { before, status: state.status, times }, context)
  const { changes, links } = prepared
  const { uid, sequence, previousStartsAt: _, ...columns } = prepared.columns
  const { eventStatus, attendanceMode, onlineUrl, hideFromListings, ...common } = columns
  const ofDates = { eventStatus, attendanceMode, onlineUrl, hideFromListings }
  const modifiedAt = await nextModifiedAtOfDates(tx, series, now, importing)
  await asSeries(tx, id, async () => {
    await tx.event.updateMany({
      where: { seriesId: id },
      data: {
        ...{ ...common, ...state, modifiedAt, sequence: input.sequence == null ? { increment: 1 } : sequence },
        trashedFrom: trashing ? before.status : null,
        ...(state.status !== 'draft' && { reviewMessage: null }),
      },
    })
    await updateDateColumns(tx, id, ofDates, now)
    await replaceEventLinks(tx, id, links, context)
    await replaceTickets(tx, id, input.tickets)
    const texts = { before: { id, status: before.status }, changes, slugs: slugSource(state.status), trashing }
    await writeChangedPostTexts(tx, 'event', texts, settings)
  })
  const planned =
    schedule && (await checkAtPath(['schedule'], () => planSchedule(tx, schedule, series, context, changed)))
  await throwIfUidTaken(
    tx.series.update({
      where: { id },
      data: { ...planned?.columns, ...ofDates, uid, sequence: nextSequence(sequence, series.sequence), modifiedAt },
    }),
  )
  await planned?.write()
}

/** Changes the columns of the dates to come that have the values of the series. */
async function updateDateColumns(
  tx: Tx,
  seriesId: number,
  values: { readonly [column in (typeof dateColumns)[number]]?: unknown },
  now: Date,
) {
  for (const column of dateColumns) {
    if (values[column] === undefined) continue
    const where = { seriesId, endsAt: { gte: now }, NOT: { changedFields: { has: column } } }
    await tx.event.updateMany({ where, data: { [column]: values[column] } })
  }
}

/** Locks the dates of a series, and returns a time that is later than the last change of the series and of each of them. */
export async function nextModifiedAtOfDates(
  tx: Tx,
  { id, modifiedAt }: SeriesRow,
  now: Date,
  importing?: ImportedRecordOptions,
): Promise<Date> {
  const [last] = await tx.$queryRaw<{ modifiedAt: Date | null }[]>`
    SELECT greatest(max(modified_at), ${modifiedAt}) AS "modifiedAt"
    FROM (SELECT modified_at FROM event WHERE series_id = ${id}::int ORDER BY id FOR UPDATE) AS dates`
  return nextModifiedAt(last?.modifiedAt ?? modifiedAt, now, importing)
}

/** Removes a date from the schedule of a series: it is excluded, or no extra date any more. */
export async function excludeDate(
  tx: Tx,
  series: SeriesRow,
  { originalStartsLocal: original, isExtra }: DateRow,
  { now, settings }: Context,
): Promise<void> {
  const { extraDates, excludedDates, ...schedule } = toScheduleInput(series)
  const isOther = ({ startsLocal }: { readonly startsLocal: string }) => {
    const alone = { ...schedule, recurrences: [], extraDates: [{ startsLocal, endsLocal: startsLocal }] }
    return !findDate(alone, original, now, settings)
  }
  const changed = isExtra
    ? { ...schedule, extraDates: extraDates.filter(isOther), excludedDates }
    : { ...schedule, extraDates, excludedDates: [...excludedDates, dateToWallClock(original)] }
  const modifiedAt = nextModifiedAt(series.modifiedAt, now)
  await tx.series.update({
    where: { id: series.id },
    data: { schedule: toStoredSchedule(changed), sequence: { increment: 1 }, modifiedAt },
  })
}
