// The mutations of events. Those of a date of a series change this date, or all of the series.
import { isDeepStrictEqual } from 'node:util'
import { badInputError, type NodeKind } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import { dateToWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { CreateEventInput, UpdateEventInput, type UpdateEventValues } from '../event/inputs.ts'
import { computeSchedule } from '../event/schedule.ts'
import { checkOnlineUrl, computeStateColumns } from '../event/state.ts'
import { Event } from '../event/type.ts'
import { nextSequence } from '../event/uid.ts'
import { createEvent, updateEvent } from '../event/write.ts'
import { lockEventParents } from '../lifecycle/linked-records.ts'
import { nextModifiedAt, requireNotModifiedSince } from '../lifecycle/modified-at.ts'
import { lockPost, requirePostEdit } from '../lifecycle/post.ts'
import { addPostMutations } from '../lifecycle/record-mutations.ts'
import { purgePost, type RecordIdentity, restorePost, type SeriesScope, trashPost } from '../lifecycle/trash.ts'
import { parseId } from '../rules/identify.ts'
import { readLineInput } from '../text/text-input.ts'
import { asSeries, dateColumns, lockSeries, numberDates } from './dates.ts'
import { findDate, timeFields, timesOf } from './expand-schedule.ts'
import {
  purgeSeries,
  refuseDateTexts,
  refuseSchedule,
  restoreSeries,
  splitSeries,
  trashSeries,
  updateAll,
} from './scopes.ts'
import { deleteOtherDates, leaveSeries, startSeries } from './start-series.ts'
import { type DateRow, type DateTexts, type SeriesRow, toScheduleInput } from './stored-schedule.ts'
import { excludeDate } from './write.ts'

/** Fields of the input that dates have of their own, or that say which date is meant. */
const ownFields = new Set<string>([
  ...['id', 'currentSlug', 'scope', 'minorChange', 'ifUnmodifiedSince', 'sequence', 'previousStartsAt'],
  ...['dateLabel', 'dateNote', 'dateTexts', ...timeFields, ...dateColumns],
])

/** Locks an event with its series, and returns both; without a series for an event that is no date of one. */
async function lockDate(tx: Tx, input: Pick<UpdateEventValues, 'parentId'> & RecordIdentity, context: Context) {
  if (input.parentId != null) await lockEventParents(tx)
  const { id } = await lockPost(tx, 'event', input, context)
  const event = await tx.event.findUniqueOrThrow({ where: { id } })
  if (event.seriesId === null) return { event, series: undefined }
  // The date may have become one of another series while this waited for the lock of its series.
  const series = await lockSeries(tx, event.seriesId)
  if (!series) throw new Error(`The event ${id} has no series ${event.seriesId}`)
  return { event: event as DateRow, series }
}

async function updateThis(
  tx: Tx,
  input: UpdateEventValues,
  context: Context,
  locked?: Awaited<ReturnType<typeof lockDate>>,
): Promise<number> {
  const { event, series } = locked ?? (await lockDate(tx, input, context))
  const { schedule, ...values } = input
  if (!series) {
    refuseDateTexts(values, 'Only dates of a series have a label or a note.')
    if (schedule) return startSeries(tx, event, schedule, values, context)
    return updateEvent(tx, event, values, context)
  }
  if (schedule) refuseSchedule(input)
  const changes = await changesOf(tx, event, values, context)
  if (schedule !== null && changes.every(([name]) => ownFields.has(name)))
    return updateDate(tx, event, series, values, context)
  await requirePostEdit(tx, 'event', event, values, context)
  const single = await leaveSeries(tx, event, series, context)
  return updateEvent(tx, single, { ...values, ifUnmodifiedSince: undefined }, context)
}

const referencedKinds: Readonly<Record<string, NodeKind>> = { authorId: 'user', imageId: 'image', parentId: 'event' }

/** Returns the fields of an input that are not as they are stored: clients send back what they have read. */
async function changesOf(tx: Tx, event: DateRow, input: UpdateEventValues, { language }: Context) {
  const { contentId } = event
  const hasText = (['title', 'description', 'excerpt', 'slug'] as const).some((name) => input[name] !== undefined)
  const where = { contentId_language: { contentId, language } }
  const text = hasText ? await tx.contentText.findUnique({ where }) : undefined
  const stored: Readonly<Record<string, unknown>> = { ...event, ...text, title: text?.name, sequence: undefined }
  return Object.entries(input).filter(([name, value]) => {
    const kind = referencedKinds[name]
    const identity = kind && typeof value === 'string' ? parseId(kind, value) : undefined
    const same = identity && 'id' in identity ? identity.id : value
    return value !== undefined && !isDeepStrictEqual(same, stored[name])
  })
}

/** Changes this date by fields that dates have of their own, and all dates by the others. */
async function updateByField(tx: Tx, input: UpdateEventValues, context: Context): Promise<number> {
  const locked = await lockDate(tx, input, context)
  const { event, series } = locked
  if (!series || input.status === 'trash') return updateThis(tx, input, context, locked)
  refuseSchedule(input)
  const { id: _, currentSlug: __, scope: ___, ifUnmodifiedSince, ...fields } = input
  const ofDate = new Set<string>([...timeFields, 'dateLabel', 'dateNote', ...event.changedFields])
  const sent = await changesOf(tx, event, fields, context)
  const { own = [], common = [] } = Object.groupBy(sent, ([name]) => (ofDate.has(name) ? 'own' : 'common'))
  const identity = { id: String(event.id) }
  await checkAll({
    all: () =>
      common.length > 0 &&
      updateAll(tx, event, { ...Object.fromEntries(common), ...identity, ifUnmodifiedSince }, context),
    own: () =>
      (own.length > 0 || common.length === 0) &&
      updateThis(
        tx,
        { ...Object.fromEntries(own), ...identity, ...(common.length === 0 && { ifUnmodifiedSince }) },
        context,
      ),
  })
  return event.id
}

async function updateDate(tx: Tx, date: DateRow, series: SeriesRow, input: UpdateEventValues, context: Context) {
  const { settings, now, language, importing } = context
  await requirePostEdit(tx, 'event', date, input, context)
  const isTimed = timeFields.some((name) => input[name] != null)
  const times = isTimed ? computeSchedule(input, date, settings) : date
  const isMoved = (['startsAt', 'endsAt'] as const).some((name) => times[name].getTime() !== date[name].getTime())
  // Of dates that a file moves onto the places of each other, one is written first.
  if (isMoved && !importing) await requireFreeStart(tx, date, times.startsLocal)
  const state = computeStateColumns(input, date, isMoved ? times.startsAt : undefined)
  const values = {
    ...state,
    onlineUrl: checkOnlineUrl(input.onlineUrl),
    hideFromListings: input.hideFromListings ?? undefined,
  }
  const { changedFields: changed, originalStartsLocal } = date
  const scheduled = isMoved ? findDate(toScheduleInput(series), originalStartsLocal, now, settings) : undefined
  // Only the restoration of a revision has the texts of all languages.
  const { dateTexts = nextDateTexts(date.dateTexts, input, language) } = input as { dateTexts?: DateTexts | null }
  const differs = {
    times: isMoved ? !isDeepStrictEqual(timesOf(times), scheduled && timesOf(scheduled)) : changed.includes('times'),
    texts: dateTexts !== null,
    ...Object.fromEntries(
      dateColumns.map((column) => [column, (values[column] === undefined ? date : values)[column] !== series[column]]),
    ),
  }
  await tx.event.update({
    where: { id: date.id },
    data: {
      ...values,
      ...(isMoved && timesOf(times)),
      dateTexts: dateTexts ?? Prisma.DbNull,
      changedFields: Object.entries(differs).flatMap(([name, is]) => (is ? [name] : [])),
      sequence: nextSequence(input.sequence, date.sequence),
      modifiedAt: nextModifiedAt(date.modifiedAt, now, importing),
    },
  })
  if (isMoved) await numberDates(tx, date.seriesId)
  return date.id
}

/** Throws badInputError if another date of the series starts at the same time. */
async function requireFreeStart(tx: Tx, { id, seriesId }: DateRow, startsLocal: Date): Promise<void> {
  const other = await tx.event.count({ where: { seriesId, startsLocal, id: { not: id } } })
  if (other > 0) throw badInputError({ startsLocal: `The series has another date at ${dateToWallClock(startsLocal)}.` })
}

function nextDateTexts(
  before: unknown,
  { dateLabel, dateNote }: UpdateEventValues,
  language: string,
): DateTexts | null {
  const texts = (before ?? {}) as DateTexts
  const own = { ...texts[language] }
  for (const [name, input] of [
    ['label', dateLabel],
    ['note', dateNote],
  ] as const) {
    if (input === undefined) continue
    const text = readLineInput(input ?? '') ?? ''
    if (text === '') delete own[name]
    else own[name] = text
  }
  const all = Object.entries({ ...texts, [language]: own }).filter(([, text]) => Object.keys(text).length > 0)
  return all.length === 0 ? null : Object.fromEntries(all)
}

/** Moves a date to the trash, as an event of its own; the series goes on without it. */
async function trashThis(tx: Tx, input: RecordIdentity, context: Context): Promise<number> {
  const { event, series } = await lockDate(tx, input, context)
  if (series && event.status !== 'trash') {
    await requirePostEdit(tx, 'event', event, input, context)
    await leaveSeries(tx, event, series, context)
  }
  return trashPost(tx, 'event', { id: String(event.id), ifUnmodifiedSince: input.ifUnmodifiedSince }, context)
}

async function restoreThis(tx: Tx, input: RecordIdentity, context: Context): Promise<number> {
  const { event, series } = await lockDate(tx, input, context)
  if (series && event.status === 'trash') {
    await requirePostEdit(tx, 'event', event, { ...input, status: event.trashedFrom ?? 'draft' }, context)
    await leaveSeries(tx, event, series, context)
  }
  return restorePost(tx, 'event', { id: String(event.id), ifUnmodifiedSince: input.ifUnmodifiedSince }, context)
}

/** Deletes a date permanently, without a place in the schedule of the series. Deletes the series with its last date. */
async function purgeThis(tx: Tx, input: RecordIdentity, context: Context): Promise<number> {
  const { event, series } = await lockDate(tx, input, context)
  if (!series) return purgePost(tx, 'event', input, context)
  requirePermission(context.viewer, 'purge')
  await requireNotModifiedSince(tx, 'event', event, input.ifUnmodifiedSince)
  if ((await tx.event.count({ where: { seriesId: series.id } })) === 1) {
    await tx.series.delete({ where: { id: series.id } })
    return event.id
  }
  await excludeDate(tx, series, event, context)
  await tx.event.delete({ where: { id: event.id } })
  await asSeries(tx, series.id, () => numberDates(tx, series.id))
  return event.id
}

/** Makes a series the single event that one of its dates is. */
async function updateToSingle(tx: Tx, input: UpdateEventValues, context: Context): Promise<number> {
  const locked = await lockDate(tx, input, context)
  if (locked.series) await deleteOtherDates(tx, locked.event, context)
  return updateThis(tx, input, context, locked)
}

addPostMutations('event', {
  type: Event,
  createInput: CreateEventInput,
  create: createEvent,
  updateInput: UpdateEventInput,
  update: updateThis,
  scoped: (scope: SeriesScope) => {
    const ofThis = { update: updateThis, trash: trashThis, restore: restoreThis, purge: purgeThis }
    if (scope === 'this') return ofThis
    if (scope === 'byField') return { ...ofThis, update: updateByField }
    const ofSeries =
      <Input extends RecordIdentity & { readonly schedule?: unknown }>(
        alone: (tx: Tx, input: Input, context: Context) => Promise<number>,
        change: (tx: Tx, date: DateRow, input: Input, context: Context) => Promise<unknown>,
      ) =>
      async (tx: Tx, input: Input, context: Context): Promise<number> => {
        const { event, series } = await lockDate(tx, input, context)
        if (!series) return alone(tx, input, context)
        refuseSchedule(input)
        if (scope === 'all') {
          await change(tx, event, input, context)
          return event.id
        }
        const edit = { status: event.trashedFrom ?? event.status, ifUnmodifiedSince: input.ifUnmodifiedSince }
        await requirePostEdit(tx, 'series', { ...event, id: series.id, modifiedAt: series.modifiedAt }, edit, context)
        await splitSeries(tx, event, series, context)
        const date = await tx.event.findUniqueOrThrow({ where: { id: event.id } })
        await change(tx, date as DateRow, { ...input, ifUnmodifiedSince: undefined }, context)
        return event.id
      }
    const update = ofSeries(updateThis, updateAll)
    return {
      update: (tx, input, context) =>
        (scope === 'all' && input.schedule === null ? updateToSingle : update)(tx, input, context),
      trash: ofSeries(trashThis, trashSeries),
      restore: ofSeries(restoreThis, restoreSeries),
      purge: ofSeries(purgeThis, purgeSeries),
    }
  },
})
