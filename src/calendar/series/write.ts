// Creates and updates series. All dates have the same content, which is written once.
import { badInputError, DomainError, inputProblemsError, notFoundError } from '../../basics/errors.ts'
import { dateToWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { authorIdOf, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { contentInputs } from '../event/inputs.ts'
import { insertEventLinksSql, replaceEventLinks } from '../event/links.ts'
import { nextSequence, throwIfUidTaken } from '../event/uid.ts'
import { prepareEvent, replaceTickets, slugSource } from '../event/write.ts'
import { lockEventParents } from '../lifecycle/linked-records.ts'
import { nextModifiedAt } from '../lifecycle/modified-at.ts'
import { ifUnmodifiedSinceField, requirePostEdit, writeChangedPostTexts } from '../lifecycle/post.ts'
import { initialPublicationState, nextPublicationState } from '../lifecycle/publication-state.ts'
import { idDescription } from '../rules/identify.ts'
import { releaseSlugs } from '../text/slug.ts'
import { writeNewRecordTexts } from '../text/write-text.ts'
import { applySchedule } from './apply-schedule.ts'
import { asSeries, dateColumns, findTemplate, insertDates, lockSeries, maxDatesOfWrite, numberDates } from './dates.ts'
import { expandSchedule } from './expand-schedule.ts'
import { requireValidSize, ScheduleInput } from './preview.ts'
import type { SeriesScheduleInput } from './schedule.ts'
import { type SeriesRow, toScheduleInput, toStoredSchedule } from './stored-schedule.ts'

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
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

type CreateValues = typeof CreateEventSeriesInput.$inferInput
export type UpdateSeriesValues = Omit<typeof UpdateEventSeriesInput.$inferInput, 'id' | 'schedule'> & {
  readonly schedule?: SeriesScheduleInput | null | undefined
}

/** The columns of a schedule, and its dates: at most those that one write stores. */
function computeScheduleColumns(schedule: SeriesScheduleInput, { now, settings }: Context) {
  requireValidSize(schedule)
  // The first date of each rule is not counted there.
  const { dates, isEndless, computedUntil } = atSchedule(() =>
    expandSchedule(schedule, now, settings, { maxDates: maxDatesOfWrite - schedule.recurrences.length }),
  )
  const [first] = dates
  if (!first) throw badInputError({ schedule: 'The schedule has no date.' })
  const columns = {
    timeZone: first.timeZone,
    allDay: schedule.allDay ?? false,
    schedule: toStoredSchedule(schedule) as unknown as Prisma.InputJsonObject,
    isEndless,
    computedUntil: computedUntil === undefined ? null : new Date(`${computedUntil}Z`),
  }
  return { columns, dates, first }
}

/** Names the input `schedule` in the paths of problems. */
function atSchedule<Result>(compute: () => Result): Result {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw inputProblemsError(error.problems.map((problem) => ({ ...problem, path: ['schedule', ...problem.path] })))
  }
}

export async function createSeries(tx: Tx, input: CreateValues, context: Context): Promise<number> {
  const viewer = requirePermission(context.viewer, 'write')
  const { language, settings, now } = context
  const state = initialPublicationState(input, viewer, now)
  const { columns: schedule, dates, first } = computeScheduleColumns(input.schedule, context)
  const { isExtra, recurrence: _, ...times } = first
  const prepared = await prepareEvent(tx, input, { status: state.status, times: () => times }, context)
  const { changes, links } = prepared
  const { uid, sequence, previousStartsAt: __, ...columns } = prepared.columns
  const [row] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO content SELECT nextval('post_id_seq')::int RETURNING id`
  const id = row?.id ?? 0
  const { eventStatus, attendanceMode, onlineUrl, hideFromListings } = columns
  const ofDates = { eventStatus, attendanceMode, onlineUrl, hideFromListings }
  await throwIfUidTaken(tx.series.create({ data: { id, ...schedule, ...ofDates, uid, sequence, modifiedAt: now } }))
  await asSeries(tx, id, async () => {
    const template = await tx.event.create({
      data: {
        ...{ ...columns, ...state, contentId: id, seriesId: id, allDay: schedule.allDay },
        ...{ originalStartsLocal: times.startsLocal, isExtra, authorId: columns.authorId ?? authorIdOf(viewer) },
        trashedFrom: state.status === 'trash' ? 'draft' : null,
        modifiedAt: now,
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

/** Locks a series, and returns it with one of its dates. Throws an error if it does not exist, or for users who may not write. */
export async function requireSeries(tx: Tx, id: number, context: Context) {
  requirePermission(context.viewer, 'write')
  const series = await lockSeries(tx, id)
  const template = series && (await findTemplate(tx, id))
  if (!template) throw notFoundError('series', 'id')
  return { series, template }
}

export async function updateSeries(tx: Tx, id: number, input: UpdateSeriesValues, context: Context): Promise<void> {
  const { settings, now } = context
  if (input.parentId != null) await lockEventParents(tx)
  const { series, template } = await requireSeries(tx, id, context)
  const before = { ...template, modifiedAt: series.modifiedAt, uid: series.uid, sequence: series.sequence }
  const viewer = await requirePostEdit(tx, 'event', before, input, context)
  const state = nextPublicationState(input, before, viewer, now)
  const trashing = state.status === 'trash' && before.status !== 'trash'
  const prepared = await prepareEvent(tx, input, { before, status: state.status, times: () => ({}) }, context)
  const { changes, links } = prepared
  const { uid, sequence, previousStartsAt: _, ...columns } = prepared.columns
  const { eventStatus, attendanceMode, onlineUrl, hideFromListings, ...common } = columns
  const ofDates = { eventStatus, attendanceMode, onlineUrl, hideFromListings }
  const modifiedAt = await nextModifiedAtOfDates(tx, series, now)
  await asSeries(tx, id, async () => {
    await tx.event.updateMany({
      where: { seriesId: id },
      data: {
        ...{ ...common, ...state, modifiedAt, sequence: { increment: 1 } },
        trashedFrom: trashing ? before.status : null,
      },
    })
    await updateDateColumns(tx, id, ofDates, now)
    await replaceEventLinks(tx, id, links, context)
    await replaceTickets(tx, id, input.tickets)
    const texts = { before: { id, status: before.status }, changes, slugs: slugSource(state.status), trashing }
    await writeChangedPostTexts(tx, 'event', texts, settings)
  })
  const schedule = input.schedule ? computeScheduleColumns(input.schedule, context) : undefined
  const { computedUntil: __, ...scheduleColumns } = schedule?.columns ?? {}
  const written = await throwIfUidTaken(
    tx.series.update({
      where: { id },
      data: { ...scheduleColumns, ...ofDates, uid, sequence: nextSequence(sequence, series.sequence), modifiedAt },
    }),
  )
  if (!schedule) return
  const { excluded, computedUntil } = await applySchedule(tx, written, series, context)
  const stored = toStoredSchedule(exclude(toScheduleInput(written), excluded)) as unknown as Prisma.InputJsonObject
  await tx.series.update({ where: { id }, data: { computedUntil, ...(excluded.length > 0 && { schedule: stored }) } })
}

const exclude = (schedule: ReturnType<typeof toScheduleInput>, dates: readonly string[]) => ({
  ...schedule,
  excludedDates: [...schedule.excludedDates, ...dates],
})

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

/** Returns a time that is later than the last change of the series and of each of its dates. */
export async function nextModifiedAtOfDates(tx: Tx, { id, modifiedAt }: SeriesRow, now: Date): Promise<Date> {
  const { _max: last } = await tx.event.aggregate({ where: { seriesId: id }, _max: { modifiedAt: true } })
  const latest = last.modifiedAt && last.modifiedAt > modifiedAt ? last.modifiedAt : modifiedAt
  return nextModifiedAt(latest, now)
}

/** Writes another schedule of a series with the same dates, such as with a further excluded date. */
async function replaceSchedule(
  tx: Tx,
  series: SeriesRow,
  change: (schedule: ReturnType<typeof toScheduleInput>) => SeriesScheduleInput,
  now: Date,
): Promise<void> {
  await tx.series.update({
    where: { id: series.id },
    data: {
      schedule: toStoredSchedule(change(toScheduleInput(series))) as unknown as Prisma.InputJsonObject,
      sequence: { increment: 1 },
      modifiedAt: nextModifiedAt(series.modifiedAt, now),
    },
  })
}

/** Removes a date from the schedule of a series: it is excluded, or no extra date any more. */
export const excludeDate = (
  tx: Tx,
  series: SeriesRow,
  { originalStartsLocal, isExtra }: { readonly originalStartsLocal: Date | null; readonly isExtra: boolean },
  now: Date,
): Promise<void> => {
  const local = originalStartsLocal ? dateToWallClock(originalStartsLocal) : ''
  return replaceSchedule(
    tx,
    series,
    (schedule) =>
      isExtra
        ? { ...schedule, extraDates: schedule.extraDates.filter(({ startsLocal }) => startsLocal !== local) }
        : exclude(schedule, [local]),
    now,
  )
}
