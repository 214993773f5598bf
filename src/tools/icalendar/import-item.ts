// Imports what a file says about one event: the event or series, and what differs on single dates.
import { datesOrDays } from '../../basics/dates/whole-days.ts'
import { languageOfCode } from '../../basics/language.ts'
import { memoize } from '../../basics/memoize.ts'
import { dateToWallClock, wallClockToDate } from '../../basics/time.ts'
import { expandSchedule, findDate } from '../../calendar/series/expand-schedule.ts'
import { addMissingDates } from '../../calendar/series/extend.ts'
import { ToolTrashEventDocument } from '../../generated/graphql/graphql.ts'
import type { ImportedRecordOptions } from '../../service/context.ts'
import { type Operations, userErrorsOf } from '../operations.ts'
import { isDate, type VenueMode } from './changes.ts'
import { addOrMergeEvent } from './group-components.ts'
import { inheritTexts, shiftTimes } from './inherit.ts'
import type { CalendarItem, ReadFileOptions } from './read-calendar.ts'
import type { DateChange } from './read-dates.ts'
import type { ImportedEvent } from './read-event.ts'
import type { RecordMatcher } from './record-matcher.ts'
import type { Reporter } from './report.ts'
import { cutSchedule, type SeriesSchedule } from './series-schedule.ts'
import { findDates, readStoredEvents, type StoredDate, type StoredEvent, uidOfDate } from './stored-events.ts'
import { type EventTimes, timesStartingAt } from './times.ts'
import { importEvent, type Outcome, olderThanImported, reasonToSkip, type WriteOptions } from './write-event.ts'

export interface ImportOptions extends WriteOptions {
  readonly venues: VenueMode
}

interface Import {
  readonly operations: Operations
  readonly options: ImportOptions & Pick<ReadFileOptions, 'from' | 'until' | 'bounds'>
  readonly reporter: Reporter
  readonly matching: RecordMatcher
}

/** What is stored of an item: the event or series, and dates that are events of their own. */
interface Known {
  readonly stored: StoredEvent | undefined
  readonly ownDates: readonly StoredDate[]
}

/** The event or series after it was written. */
interface Written {
  readonly outcome?: Outcome | undefined
  /** Of a series, as the file has it. */
  readonly schedule?: SeriesSchedule | undefined
  /** Events that became dates of the series. */
  readonly replaced?: readonly StoredDate[]
}

export async function importItem(item: CalendarItem, known: Known, work: Import): Promise<void> {
  const { uid, event, changes, isComplete } = item
  const { operations } = work
  const { db, settings, now } = operations.session
  const whole: Written = event ? await importWhole(item, event, known, work) : {}
  const series = known.stored?.series ?? (whole.schedule && (await db.series.findFirst({ where: { uid } })))
  // Changes may be of dates that were not computed yet.
  if (series && changes.length > 0) await addMissingDates(db, series.id, settings, now())
  const dates = [
    ...(series ? await findDates(operations, { seriesId: series.id }) : []),
    ...known.ownDates.filter((date) => !whole.replaced?.includes(date)),
  ]
  const isDescribed = whole.outcome !== undefined && event?.times !== undefined && isComplete
  const { changed, added, removed } = planDates(item, dates, isDescribed ? whole.schedule : undefined, work)
  // A series with its dates counts as one.
  const outcomes = [whole.outcome, ...(await writeDates(changed, work))]
  count(
    (['created', 'updated', 'unchanged'] as const).find((each) => outcomes.includes(each)),
    work,
  )
  for (const each of added) if (isWithin(each, work)) count(await write(each, undefined, work), work)
  if (isDescribed) await trashDates(removed, item, work)
}

const write = (
  event: ImportedEvent,
  stored: StoredEvent | undefined,
  work: Import,
  importing?: ImportedRecordOptions,
) =>
  importEvent({
    ...{ event, stored, importing, settings: work.operations.session.settings, venues: work.options.venues },
    ...{ note: work.reporter.noteOn(event), ...work },
  })

const count = (outcome: Outcome | undefined, { reporter }: Import) => outcome && reporter.count(outcome)

function isWithin(event: ImportedEvent, { options: { bounds }, reporter }: Import): boolean {
  if (!event.times) return true
  const [first, last] = [event.times.start.local.slice(0, 10), event.times.end.local.slice(0, 10)]
  const isOutside =
    (bounds.from !== undefined && last < bounds.from) || (bounds.until !== undefined && first > bounds.until)
  if (isOutside) reporter.skip(event, 'The event is not between the dates of --from and --until.')
  return !isOutside
}

/** Writes the event, or the series. */
async function importWhole(item: CalendarItem, event: ImportedEvent, known: Known, work: Import): Promise<Written> {
  const { stored, ownDates } = known
  const live = ownDates.filter(({ isTrashed }) => !isTrashed)
  if (!event.times) {
    // A cancellation also of the dates that are events of their own.
    await writeDates(new Map(live.map((date) => [date, event])), work)
    return stored || live.length === 0 ? { outcome: await write(event, stored, work) } : {}
  }
  if (!item.isComplete && (stored?.series || live.length > 0)) {
    work.reporter.noteOn(event)('Not all of its dates can be read: those that are stored stay as they are.')
    return { outcome: stored && (await write({ ...event, times: undefined }, stored, work)) }
  }
  if (item.isRecurring || stored?.series)
    return importSeries({ ...item, event: { ...event, times: event.times } }, known, work)
  return isWithin(event, work) ? { outcome: await write(event, stored, work) } : {}
}

const maxExtraDates = 10_000

type DescribedItem = CalendarItem & { readonly event: ImportedEvent & { readonly times: EventTimes } }

async function importSeries(item: DescribedItem, { stored, ownDates }: Known, work: Import): Promise<Written> {
  const { event } = item
  const { operations, options, reporter } = work
  const before = stored?.series?.schedule
  const from = before ? firstDay(before) : options.from
  const read = item.schedule && cutSchedule(item.schedule, from, options.bounds.until, operations.session.settings)
  const single =
    stored && !before && !isDate(stored) ? await findDates(operations, { id: stored.event.databaseId }) : []
  const earlier = before ? [] : [...single, ...ownDates].filter(({ isTrashed }) => !isTrashed)
  const replaced = earlier.filter(({ sequence }) => event.sequence === undefined || sequence <= event.sequence)
  const [model] = (
    await readStoredEvents(operations, { id: (replaced[0] ?? earlier[0])?.id ?? 0 }, options.language)
  ).values()
  const current = stored ?? model
  const reason = current && (reasonToSkip({ event, stored: current }) ?? olderThanImported({ event, stored: current }))
  if (reason !== undefined) return skip(event, reason, work)
  const left = ownDates.filter((date) => !replaced.includes(date))
  const former = stored?.series ? await findDates(operations, { formerSeriesId: stored.series.id }) : []
  const own = read ? [...left, ...former].filter((date) => scheduledOn(date, read, work).includes(date.local)) : []
  // What an earlier file excluded takes place again if this one does not exclude it.
  const excludedBefore = before?.excludedDates.filter((text) => !stored?.excludedByFile.has(text)) ?? []
  const schedule = read && withoutDates(read, excludedBefore, own)
  if (!schedule)
    return skip(
      event,
      options.bounds.until
        ? `It has no date from ${from} to ${options.bounds.until}.`
        : `It has no date from ${from} on.`,
      work,
    )
  const isUndone = stored?.series !== undefined && (await undoChanges(item, stored.series, work))
  if (schedule.extraDates.length > maxExtraDates)
    return skip(event, `It has more than ${maxExtraDates} extra dates.`, work)
  const texts = model ? inheritTexts(event.texts, model.event.translations.map(toText)) : event.texts
  const status = model && !isPublic.has(model.event.status) ? model.event.status : options.status
  const dateIds = idsOfDates(schedule, replaced, single, work)
  const series = before && stored
  const outcome = await write(
    { ...event, texts, schedule, excludedByFile: read?.excludedDates },
    series,
    { ...work, options: { ...options, status } },
    { dateIds, excludedBefore },
  )
  if (outcome !== 'created' || replaced.length === 0)
    return { outcome: outcome === 'unchanged' && isUndone ? 'updated' : outcome, schedule: read }
  const ids = replaced.map(({ id }) => id)
  const dates = new Set((await findDates(operations, { id: { in: ids }, NOT: { seriesId: null } })).map(({ id }) => id))
  reporter.noteOn(event)(`${dates.size} of its dates have the IDs of events of an earlier import.`)
  return { outcome: 'updated', schedule: read, replaced: replaced.filter(({ id }) => dates.has(id)) }
}

/** The IDs of dates by their local start or day. A single event that recurs from another day on becomes the first date. */
function idsOfDates(
  schedule: SeriesSchedule,
  replaced: readonly StoredDate[],
  [single]: readonly StoredDate[],
  { operations: { session } }: Import,
): Map<string, number> {
  const ids = new Map(
    replaced.flatMap(({ id, startsLocal, local }) => [[startsLocal, id] as const, [local, id] as const]),
  )
  if (!single || !replaced.includes(single)) return ids
  const { dates } = expandSchedule(schedule, session.now(), session.settings, { maxDates: 1000 })
  const starts = dates.map(({ startsLocal }) => dateToWallClock(startsLocal))
  const isAmong = starts.some((start) => start === single.local || start.slice(0, 10) === single.local)
  const [first] = starts
  return isAmong || first === undefined ? ids : ids.set(first, single.id)
}

function skip(event: ImportedEvent, reason: string, { reporter }: Import): Written {
  reporter.skip(event, reason)
  return {}
}

const isPublic: ReadonlySet<string> = new Set(['PUBLISHED', 'SCHEDULED'])

const toText = ({ language, name, description }: StoredEvent['event']['translations'][number]) => ({
  language: languageOfCode(language),
  ...(name && { title: name }),
  ...(description && { description }),
})

const firstDay = ({ recurrences, extraDates }: SeriesSchedule): string =>
  [...recurrences, ...extraDates].map(({ startsLocal }) => startsLocal.slice(0, 10)).sort()[0] ?? ''

/** Leaves out dates that were excluded before, and dates that are events of their own. Undefined if none is left. */
function withoutDates(schedule: SeriesSchedule, before: readonly string[], own: readonly StoredDate[]) {
  const taken = own.map(({ local, allDay }) => (allDay ? local.slice(0, 10) : local))
  const extraDates = schedule.extraDates.filter(
    ({ startsLocal }) => !taken.some((local) => startsLocal.startsWith(local)),
  )
  if (extraDates.length + schedule.recurrences.length === 0) return undefined
  const excluded = new Set([...schedule.excludedDates, ...before, ...(schedule.recurrences.length > 0 ? taken : [])])
  return { ...schedule, extraDates, excludedDates: [...excluded].sort() }
}

/** Undoes changes of the times and state of single dates by an earlier file, which this file does not have. Returns whether there were any. */
async function undoChanges(item: DescribedItem, { id, schedule }: NonNullable<StoredEvent['series']>, work: Import) {
  const { operations, options } = work
  const { settings, now } = operations.session
  const dates = await findDates(operations, { seriesId: id })
  const named = new Set(item.changes.flatMap((change) => matchDates(change, dates)))
  const left = dates.filter((date) => date.isChanged && !named.has(date))
  const stored = await readStoredEvents(operations, { id: { in: left.map((date) => date.id) } }, options.language)
  let isUndone = false
  for (const date of left) {
    const scheduled = findDate(schedule, wallClockToDate(date.local), now(), settings)
    const [startsLocal, endsLocal] = [scheduled?.startsLocal, scheduled?.endsLocal].map(
      (local) => local && dateToWallClock(local),
    )
    const times = startsLocal && endsLocal ? storedTimes({ ...date, startsLocal, endsLocal }) : undefined
    const { uid, line, sequence, revised, lastModified, method, eventStatus } = item.event
    const state = { uid, line, sequence, revised, lastModified, method, eventStatus, isPrivate: false }
    const event = { ...state, times, texts: [], locations: [], access: '', organizers: [] }
    const current = stored.get(date.id)
    if (!current?.isImported || reasonToSkip({ event, stored: current })) continue
    if ((await write(event, current, work)) === 'updated') isUndone = true
  }
  return isUndone
}

/** Plans what the file changes on single dates. `schedule`: that of the file, if it describes all dates. */
function planDates(
  item: CalendarItem,
  dates: readonly StoredDate[],
  schedule: SeriesSchedule | undefined,
  work: Import,
) {
  const { uid, event, changes, first } = item
  const { options, reporter } = work
  const [ofRanges, ofDates, added] = [
    new Map<string, ImportedEvent>(),
    new Map<string, ImportedEvent>(),
    new Map<string, ImportedEvent>(),
  ]
  const uidOf = (date: StoredDate) => date.uid ?? uidOfDate(uid, date.local)
  for (const change of changes.toSorted((a, b) => (a.id.local < b.id.local ? -1 : 1))) {
    const found = matchDates(change, dates)
    // A change is not older than the event with which it comes.
    const { sequence: own, times: ownTimes } = change.event
    const sequence = own === undefined ? own : Math.max(own, event?.sequence ?? 0)
    for (const date of found) {
      const times = first || ownTimes ? change.timesOf(usualTimes(date, first, schedule)) : undefined
      const changed = { ...change.event, uid: uidOf(date), sequence, times }
      if (change.isRange) ofRanges.set(changed.uid, changed)
      else addOrMergeEvent(ofDates, changed, reporter)
    }
    const local = change.localIn(dates[0]?.timeZone ?? change.id.timeZone)
    const day = local.slice(0, 10)
    // A series has no dates before the first day of its first import, and beyond its horizon.
    if (found.length > 0 || (schedule && (day < options.from || day > options.until))) continue
    const alone = ownTimes ?? { start: change.id, end: change.id, isAllDay: change.id.isDate }
    const times = first ? change.timesOf(shiftTimes(first.times, first.times.start.local, local)) : alone
    if (schedule) reporter.noteOn(change.event)(`No date starts at ${local}: it was imported as an event of its own.`)
    addOrMergeEvent(added, { ...change.event, uid: uidOfDate(uid, local), times }, reporter)
  }
  const changed = new Map<StoredDate, ImportedEvent>()
  const removed: StoredDate[] = []
  for (const date of dates) {
    const named = ofDates.get(uidOf(date)) ?? ofRanges.get(uidOf(date))
    // What the file does not name is as the series, also if it is an event of its own.
    const starts = date.uid && schedule ? scheduledOn(date, schedule, work) : []
    const local = starts.includes(date.local) ? date.local : starts[0]
    if (named) changed.set(date, named)
    else if (!date.uid) continue
    else if (!local || !event) removed.push(date)
    else changed.set(date, { ...event, uid: date.uid, times: usualTimes({ ...date, local }, first, schedule) })
  }
  return { changed, added: [...added.values()], removed }
}

/** Returns the local starts of a schedule on the day of a date; the day itself if the date has no time. */
function scheduledOn({ local }: StoredDate, schedule: SeriesSchedule, { operations }: Import): string[] {
  const { settings, now } = operations.session
  const day = local.slice(0, 'YYYY-MM-DD'.length)
  const { dates } = expandSchedule(schedule, now(), settings, { from: `${day}T00:00:00`, until: `${day}T23:59:59` })
  const starts = dates.map(({ startsLocal }) => dateToWallClock(startsLocal))
  return starts.length > 0 && local === day ? [day, ...starts] : starts
}

/** Finds the dates that a change names. */
function matchDates(change: DateChange, dates: readonly StoredDate[]): StoredDate[] {
  const { id, isRange, isAdded } = change
  // A conversion for each of many dates would take long.
  const localIn = memoize({ name: 'localIn', max: 10 }, change.localIn)
  const found = dates.filter(({ local, startsLocal, timeZone, allDay, isTrashed }) => {
    const named = localIn(timeZone)
    if (isAdded) return startsLocal === named
    const length = id.isDate || allDay ? 'YYYY-MM-DD'.length : local.length
    const [from, to] = [named.slice(0, length), local.slice(0, length)]
    return from === to || (isRange && to > from && !isTrashed)
  })
  // Earlier imports named only further dates of a day by their time.
  const exact = found.filter(({ local }) => local.length > 'YYYY-MM-DD'.length)
  if (found.length > 0 || isRange || isAdded) return isRange || id.isDate || exact.length === 0 ? found : exact
  // The time of day of the series may be another since a date became an event of its own.
  return dates.filter(({ uid, local, timeZone }) => uid && local.slice(0, 10) === localIn(timeZone).slice(0, 10))
}

/** Returns the times of a date without changes: as the file says, or else as they are stored. */
function usualTimes(date: StoredDate, first: CalendarItem['first'], schedule: SeriesSchedule | undefined): EventTimes {
  const { timeZone, allDay } = date
  const timeOfDay = (first?.times.start.local ?? date.startsLocal).slice(10)
  const local = date.local.slice(0, 10) + (allDay ? 'T00:00:00' : date.local.slice(10) || timeOfDay)
  const extra = schedule?.extraDates.find(({ startsLocal }) => startsLocal === local)
  if (extra) return storedTimes({ timeZone, allDay: false, ...extra, endsLocal: extra.endsLocal ?? extra.startsLocal })
  if (first) return timesStartingAt(first.times, { ...first.times.start, local, instant: undefined }, first.zones)
  const times = storedTimes(date)
  return shiftTimes(times, times.start.local, local)
}

type LocalDate = Pick<StoredDate, 'startsLocal' | 'endsLocal' | 'timeZone' | 'allDay'>

function storedTimes(date: LocalDate): EventTimes {
  const { timeZone, allDay } = date
  const { startsLocal, endsLocal } = datesOrDays(date)
  const at = (local: string) => ({ local, isDate: allDay, timeZone, tzid: undefined, instant: undefined })
  return { start: at(startsLocal), end: at(endsLocal), isAllDay: allDay }
}

/** Writes changes of dates. Returns the outcomes of those that stay in their series, and counts the others. */
async function writeDates(
  changed: ReadonlyMap<StoredDate, ImportedEvent>,
  work: Import,
): Promise<(Outcome | undefined)[]> {
  if (changed.size === 0) return []
  const ids = [...changed.keys()].map(({ id }) => id)
  const stored = await readStoredEvents(work.operations, { id: { in: ids } }, work.options.language)
  const outcomes: (Outcome | undefined)[] = []
  for (const [date, event] of changed) {
    const outcome = await write(date.uid ? { ...event, uid: date.uid } : event, stored.get(date.id), work)
    if (date.uid || outcome === 'created') count(outcome, work)
    else outcomes.push(outcome)
  }
  return outcomes
}

/** Moves dates to the trash that are events of their own, and that the file no longer has. */
async function trashDates(
  dates: readonly StoredDate[],
  { event, first }: CalendarItem,
  { operations, options, reporter }: Import,
) {
  const stored = await readStoredEvents(operations, { id: { in: dates.map(({ id }) => id) } }, options.language)
  for (const { id, uid = null, isTrashed, startsLocal, endsAt } of dates) {
    // Past dates stay, because many files contain only present and future events.
    const isOver = endsAt < operations.session.now() && startsLocal < (first?.times.start.local ?? '')
    const isOutside = startsLocal.slice(0, 10) < options.from || startsLocal.slice(0, 10) > options.until
    const isNewer = event && olderThanImported({ event, stored: stored.get(id) }) !== undefined
    if (isTrashed || isOver || isOutside || isNewer) continue
    const { outcome } = await operations.execute(ToolTrashEventDocument, { input: { id } })
    const [error] = userErrorsOf(outcome)
    if (error) reporter.skip({ uid, line: null }, error.message)
    else {
      reporter.count('trashed')
      reporter.add(`Event ${uid} was moved to the trash: the calendar no longer has this date.`)
    }
  }
}
