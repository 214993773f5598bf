// Reads the components that modify, add or cancel single occurrences of a series.
import { toWallClock } from '../../basics/time.ts'
import { addOrMergeEvent } from './group-components.ts'
import { inheritTexts, inheritTimes, shiftTimes } from './inherit.ts'
import { type Component, findProperty, parameterOf, textOf } from './parse-components.ts'
import { type ImportedEvent, isCancellation, type MasterEvent, readEvent, type VEvent } from './read-event.ts'
import type { EventText } from './read-texts.ts'
import type { Reporter } from './report.ts'
import { findOccurrences, occurrenceKeyAt, occurrenceUid, type StoredOccurrence } from './stored-events.ts'
import { type DateOrTime, type EventTimes, instantOf, readDateOrTime } from './times.ts'

export interface SeriesContext {
  readonly uid: string
  readonly reporter: Reporter
  /** The stored occurrences of the series, including those in the trash. */
  readonly stored: readonly StoredOccurrence[]
}

/** Reads the modified occurrences of a series whose master component is in the file. */
export function readModifiedOccurrences(
  parts: readonly VEvent[],
  masters: readonly [MasterEvent, ...MasterEvent[]],
  keyOf: (id: DateOrTime, isAdded: boolean) => string,
  { uid, reporter }: SeriesContext,
) {
  const { start } = masters[0].event.times
  const changed = new Map<string, ImportedEvent>()
  /** Modifications with RANGE=THISANDFUTURE. `from`: the local time from which the occurrences of the series are modified. */
  const ranges: { readonly from: string; readonly event: MasterEvent['event'] }[] = []
  /** UIDs of the occurrences whose components cannot be read. */
  const unread = new Set<string>()
  const overrides = withIds(uid, parts, reporter, start)
  for (const { id, ...part } of overrides) {
    const { component, options } = part
    const own = occurrenceUid(uid, keyOf(id, options.method === 'ADD'))
    const language = languageOf(component)
    const master = masters.find((candidate) => languageOf(candidate.component) === language) ?? masters[0]
    const event = readEvent(part, master)
    if (!event) {
      unread.add(own)
      continue
    }
    const from = localIn(id, start.timeZone)
    // A RECURRENCE-ID without a time names the occurrence of that day.
    const local = id.isDate ? `${from.slice(0, 10)}${master.event.times.start.local.slice(10)}` : from
    const times = inheritTimes(event.times, component, master.event.times, local)
    const whole = { ...event, uid: own, times, texts: inheritTexts(event.texts, textsOf(masters)) }
    if (isRange(component)) ranges.push({ from: local, event: whole })
    else addOrMergeEvent(changed, whole, reporter)
  }
  // Newest first: of several modifications, the one that starts last applies.
  ranges.sort((a, b) => (a.from < b.from ? 1 : -1))
  return { changed, ranges, unread, isComplete: overrides.length === parts.length && unread.size === 0 }
}

const languageOf = (component: Component) => parameterOf(findProperty(component, 'summary'), 'language')

const textsOf = (masters: readonly MasterEvent[]): EventText[] =>
  masters.reduce<EventText[]>((texts, { event }) => inheritTexts(texts, event.texts), [])

/** Reads modified occurrences whose master component is not in the file. Missing fields keep their stored values. */
export function readLoneOccurrences(parts: readonly VEvent[], context: SeriesContext): ImportedEvent[] {
  const { uid, reporter, stored } = context
  return withIds(uid, parts, reporter).flatMap(({ id, ...part }) => {
    const { component, options } = part
    const event = readEvent(part)
    if (!event) return []
    const local = (zone: string) => localIn(isFloating(component) ? { ...id, timeZone: zone } : id, zone)
    const isAdded = options.method === 'ADD'
    const found = findOccurrences(stored, { local, isDate: id.isDate }, isRange(component)).filter(
      ({ occurrence }) => !isAdded || occurrence.startsLocal.startsWith(local(occurrence.timeZone)),
    )
    const changed = found.map(({ occurrence, from, to }) => {
      const times = event.times && shiftTimes(lastingAs(event.times, component, occurrence), from, to)
      return { ...event, uid: occurrence.uid, times }
    })
    if (changed.length > 0) return changed
    const [sibling] = stored
    const hasOther = stored.some(({ startsLocal, timeZone }) => startsLocal.startsWith(local(timeZone).slice(0, 10)))
    const length = isAdded && hasOther ? '20261201T180000'.length : (sibling?.key.length ?? '20261201'.length)
    const key = occurrenceKeyAt(local(sibling?.timeZone ?? id.timeZone)).slice(0, length)
    const times = event.times ?? { start: id, end: id, isAllDay: id.isDate }
    return [{ ...event, uid: occurrenceUid(uid, key), times }]
  })
}

function lastingAs(
  times: EventTimes,
  component: Component,
  { allDay, startsLocal, endsLocal }: StoredOccurrence,
): EventTimes {
  if (allDay) return times
  const at = (local: string) => ({ ...times.start, local, instant: undefined })
  const stored = { start: at(startsLocal), end: at(endsLocal), isAllDay: false }
  return inheritTimes(times, component, stored, times.start.local)
}

/** Returns cancellations of all stored occurrences of a series, or else of the event that occurs once. */
export function readSeriesCancellation(parts: readonly VEvent[], { stored }: SeriesContext): ImportedEvent[] {
  const events = parts.filter(isCancellation).flatMap((part) => readEvent(part) ?? [])
  const current = stored.filter(({ isTrashed }) => !isTrashed)
  return events.flatMap((event) => (current.length > 0 ? current.map(({ uid }) => ({ ...event, uid })) : event))
}

const localIn = (time: DateOrTime, zone: string): string =>
  time.isDate ? time.local : toWallClock(instantOf(time), zone)

function withIds(uid: string, parts: readonly VEvent[], reporter: Reporter, start?: DateOrTime) {
  return parts.flatMap(({ component, options }) => {
    /** RECURRENCE-ID: the start of the occurrence without the modification. */
    const id = readDateOrTime(idProperty(component), options.zones, start)
    if (!id) {
      reporter.skip({ uid, line: component.line }, 'RECURRENCE-ID is not a date.')
      return []
    }
    const range = rangeOf(component)
    if (range !== undefined && range !== 'THISANDFUTURE') {
      const text = `RANGE=${range.slice(0, 20)} is not supported: only one occurrence was changed.`
      reporter.noteOn({ uid, line: component.line })(text)
    }
    return [{ component, options, id }]
  })
}

/** RECURRENCE-ID, or the start of an occurrence that METHOD:ADD adds without one. */
const idProperty = (component: Component) =>
  findProperty(component, 'recurrence-id') ??
  (component.unread.includes('recurrence-id') ? undefined : findProperty(component, 'dtstart'))

const rangeOf = (component: Component) => parameterOf(findProperty(component, 'recurrence-id'), 'range')?.toUpperCase()

const isRange = (component: Component) => rangeOf(component) === 'THISANDFUTURE'

function isFloating(component: Component): boolean {
  const property = idProperty(component)
  return !parameterOf(property, 'tzid') && !textOf(property)?.endsWith('Z')
}
