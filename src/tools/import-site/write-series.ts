// Writes the dates of a recurring event of a legacy site as a series of explicit dates, with a ledger entry for each date.
import { isDeepStrictEqual } from 'node:util'
import { datesOrDays } from '../../basics/dates/whole-days.ts'
import { dateToWallClock, toWallClock } from '../../basics/time.ts'
import { type SeriesRow, toScheduleInput } from '../../calendar/series/stored-schedule.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ImportedRecordOptions } from '../../service/context.ts'
import { findMutation, type MutationInput, userErrorsOf } from '../operations.ts'
import type { ImportState } from './import-state.ts'
import { hashValue, type LedgerEntry } from './ledger.ts'
import { planRecordWrite, type WriteAttempt } from './record-plan.ts'
import type { RecordImportOutcome, SourceEvent } from './source-records.ts'
import { addPlanned, afterErrors, entryOf, inputOf, isEdited, slugNotes, writeSourceRecord } from './write-record.ts'

interface SeriesPlan {
  /** Undefined if it is new. */
  readonly series: SeriesRow | undefined
  /** All dates of the site. */
  readonly dates: readonly SourceEvent[]
  /** Dates of the site that this import writes as dates of the series. */
  readonly members: readonly SourceEvent[]
  /** Those that are written as events of their own, or that users of this service edited and that changed on the site, too. */
  readonly alone: readonly SourceEvent[]
  readonly entries: ReadonlyMap<SourceEvent, LedgerEntry | undefined>
}

/** Writes a recurring event. Earlier imports of its dates as single events become dates of the series. */
export async function writeSeries(
  { record, imageProblem }: { readonly record: SourceEvent; readonly imageProblem: string | undefined },
  dates: readonly SourceEvent[],
  state: ImportState,
): Promise<RecordImportOutcome> {
  const plan = await planSeries(dates, state)
  const { members, alone } = plan
  const times = members.flatMap(({ modifiedAt }) => modifiedAt?.getTime() ?? [])
  const modifiedAt = times.length > 0 ? new Date(Math.max(...times)) : undefined
  const whole = { ...record, ...usualState(members), modifiedAt }
  const outcomes: RecordImportOutcome[] = []
  if (members.length > 0)
    outcomes.push(
      await writeSourceRecord({ record: whole, imageProblem }, state, (attempt) => write(attempt, plan, state)),
    )
  for (const date of alone) outcomes.push(await writeSourceRecord({ record: date, imageProblem }, state))
  const [main] = outcomes.toSorted((a, b) => Number(a.outcome === 'skipped') - Number(b.outcome === 'skipped'))
  if (!main) return { outcome: 'unchanged', id: record.id, notes: [] }
  if (main.outcome === 'skipped') return main
  const notes = outcomes.flatMap((each) =>
    each.outcome === 'skipped' ? `One of its dates: ${each.reason}` : each.notes,
  )
  return { ...main, notes }
}

async function planSeries(dates: readonly SourceEvent[], { ledger, operations, options }: ImportState) {
  const { db, now } = operations.session
  const entries = new Map(
    dates.map((date) => [date, ledger.find('event', [date.id, ...Object.values(date.ids)])] as const),
  )
  const ids = [...entries.values()].flatMap((entry) => entry?.recordId ?? [])
  const rows = await db.event.findMany({ where: { id: { in: ids } }, select: { id: true, seriesId: true } })
  const seriesOf = new Map(rows.map(({ id, seriesId }) => [id, seriesId]))
  const id = [...seriesOf.values()].find((each) => each !== null)
  const series = id === undefined ? undefined : ((await db.series.findUnique({ where: { id } })) ?? undefined)
  const isMember = (date: SourceEvent) => {
    const entry = entries.get(date)
    // Past dates are never added to a series.
    if (!entry) return !series || date.startsLocal >= toWallClock(now(), date.timeZone).slice(0, 10)
    return (options.overwrite || !isEdited(entry)) && (!series || seriesOf.get(entry.recordId) === id)
  }
  const members = dates.filter(isMember)
  const hasSeries = series !== undefined ? members.some((date) => entries.get(date)) : members.length > 1
  const written = hasSeries ? members : []
  const isCurrent = (date: SourceEvent) => {
    const entry = entries.get(date)
    return entry && isEdited(entry) && entry.sourceModifiedAt?.getTime() === date.modifiedAt?.getTime()
  }
  const alone = dates.filter((date) => !written.includes(date) && !(series && isCurrent(date)))
  return { series, dates, members: written, alone, entries }
}

const stateOf = ({ eventStatus, attendanceMode, onlineUrl, hideFromListings }: SourceEvent) => ({
  ...{ eventStatus, attendanceMode, onlineUrl, hideFromListings },
})

/** The state of most dates, which becomes that of the series. */
function usualState(dates: readonly SourceEvent[]): Partial<SourceEvent> {
  const groups = Map.groupBy(dates.map(stateOf), (state) => JSON.stringify(state))
  return [...groups.values()].sort((a, b) => b.length - a.length)[0]?.[0] ?? {}
}

/** Writes the series, and then its dates that differ from it. Undefined as in `writeSourceRecord`. */
async function write(
  attempt: WriteAttempt,
  { series, dates, members, entries }: SeriesPlan,
  state: ImportState,
): Promise<RecordImportOutcome | undefined> {
  const { ledger, operations, options, chooseId } = state
  const { record, language, refused } = attempt
  const [first] = members
  if (record.kind !== 'event' || !first) throw new Error('A series needs dates')
  const plan = await planRecordWrite(attempt, state)
  const { notes, isComplete } = plan
  const digest = hashValue([plan.digest, dates.map((date) => [date.id, datesOrDays(date), stateOf(date)])])
  const known = members.flatMap((date) => entries.get(date) ?? [])
  if (series && known.length === members.length && known.every((entry) => entry.digest === digest && !isEdited(entry)))
    return { outcome: 'unchanged', id: known[0]?.recordId ?? 0, notes }

  const added = series ? members.filter((date) => !entries.get(date)) : members
  const dateIds = new Map<string, number>()
  for (const date of added) {
    const id = entries.get(date)?.recordId ?? (await chooseId('event', date.id, Object.values(date.ids)))
    if (id !== undefined) dateIds.set(startOf(date), id)
  }
  const { timeZone, allDay } = record
  const stored = series ? toScheduleInput(series) : { recurrences: [], extraDates: [], excludedDates: [] }
  const { extraDates, ...rest } = stored
  const isScheduled = added.length > 0 || timeZone !== series?.timeZone || allDay !== series.allDay
  const content = Object.entries(await inputOf(attempt, plan, series && known[0], state))
  const input = {
    ...Object.fromEntries(content.filter(([field]) => !timeFields.has(field))),
    ...(series && { id: String(series.id) }),
    ...(isScheduled && { schedule: { ...rest, timeZone, allDay } }),
  }
  const changed: { entry: LedgerEntry | undefined; saved: LedgerEntry; date: SourceEvent; changes: MutationInput }[] =
    []
  const importing: ImportedRecordOptions = {
    modifiedAt: record.modifiedAt,
    dateIds,
    ...(isScheduled && { extraDates: [...extraDates, ...added.map(datesOrDays)] as never }),
    beforeWrite: async (tx) => {
      for (const entry of options.overwrite ? [] : known) await ledger.requireUnmodified(tx, entry)
    },
    afterWrite: async (tx, id) => {
      changed.length = 0
      const rows = await rowsOf(tx, id)
      for (const date of members) {
        const entry = entries.get(date)
        const row = rows.byId.get(entry?.recordId ?? 0) ?? rows.byStart.get(startOf(date))
        if (!row) continue
        const changes = changesOf(date, row, refused)
        // An empty digest: the next import writes the date again if this one stops before.
        const ofDate = { digest: Object.keys(changes).length > 0 ? '' : digest, isComplete }
        const saved = await ledger.save(tx, { ...entryOf(date, ofDate), recordId: row.id, isAdopted: false }, entry)
        changed.push({ entry, saved: saved.entry, date, changes })
        if (date === first) notes.push(...slugNotes(record, saved.slugs))
      }
    },
  }
  const mode = { language, checksOnly: options.dryRun, importing }
  const mutation = findMutation(series ? 'Update' : 'Create', 'series')
  const errors = userErrorsOf((await operations.execute(mutation, { input }, mode)).outcome)
  if (changed.length === 0 || errors.length > 0) return afterErrors(errors, attempt, plan, state)
  const outcome = known.length > 0 ? 'updated' : 'created'
  if (options.dryRun) {
    for (const date of members) addPlanned(date, state)
    return { outcome, id: first.id, notes }
  }
  for (const { entry, saved, date, changes } of changed) {
    ledger.applyCommitted(entry, saved)
    if (!entry && options.keepIds && saved.recordId !== date.id)
      notes.push(`Another record has the ID ${date.id} here; the ID of this date is ${saved.recordId}.`)
    if (Object.keys(changes).length > 0)
      notes.push(...(await writeDate(date, changes, { ...saved, digest }, saved, state)))
  }
  return { outcome, id: changed[0]?.saved.recordId ?? 0, notes }
}

const timeFields = new Set('startsLocal endsLocal startsAt endsAt timeZone allDay'.split(' '))

const startOf = (date: Parameters<typeof datesOrDays>[0]) => datesOrDays(date).startsLocal

type Row = Prisma.EventGetPayload<object>

const toTimes = ({ allDay, startsLocal, endsLocal }: Row) => ({
  allDay,
  startsLocal: dateToWallClock(startsLocal),
  endsLocal: dateToWallClock(endsLocal),
})

async function rowsOf(tx: Tx, seriesId: number) {
  const rows = await tx.event.findMany({ where: { seriesId } })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { byId, byStart: new Map(rows.map((row) => [startOf(toTimes(row)), row])) }
}

/** Returns what a date has of its own, and not as it is stored. */
function changesOf(date: SourceEvent, row: Row, refused: WriteAttempt['refused']): MutationInput {
  const { startsLocal, endsLocal, eventStatus, attendanceMode, onlineUrl = null, hideFromListings } = date
  return {
    ...(!isDeepStrictEqual(datesOrDays(date), datesOrDays(toTimes(row))) && { startsLocal, endsLocal }),
    ...(eventStatus !== row.eventStatus && { eventStatus: eventStatus.toUpperCase() }),
    ...(attendanceMode !== row.attendanceMode && { attendanceMode: attendanceMode.toUpperCase() }),
    ...(onlineUrl !== row.onlineUrl && !refused.has('onlineUrl') && { onlineUrl }),
    ...(hideFromListings !== row.hideFromListings && { hideFromListings }),
  }
}

/** Writes what a date has of its own. Returns why it was not written. */
async function writeDate(
  { startsLocal, modifiedAt }: SourceEvent,
  changes: MutationInput,
  entry: LedgerEntry,
  previous: LedgerEntry,
  { ledger, operations }: ImportState,
): Promise<string[]> {
  let saved = entry
  const afterWrite = async (tx: Tx) => {
    saved = (await ledger.save(tx, entry, previous)).entry
  }
  const input = { id: String(entry.recordId), ...changes }
  const importing = { modifiedAt, afterWrite }
  const { outcome } = await operations.execute(findMutation('Update', 'event'), { input }, { importing })
  const errors = userErrorsOf(outcome)
  if (errors.length === 0) ledger.applyCommitted(previous, saved)
  return errors.map(({ message }) => `Its date ${startsLocal}: ${message}`)
}
