// Reads the components that describe single occurrences of a series.
import { toWallClock } from '../../basics/time.ts'
import { addEvent } from './add-event.ts'
import { isCancel, type Part } from './group-components.ts'
import { movedBy, withInheritedTexts, withInheritedTimes } from './inherit.ts'
import { type Component, findProperty, parameterOf, textOf } from './parse-components.ts'
import { type ImportedEvent, readEvent } from './read-event.ts'
import type { EventText } from './read-texts.ts'
import type { Reporter } from './report.ts'
import { findOccurrences, occurrenceUid, type StoredOccurrence } from './stored-occurrences.ts'
import { type DateOrTime, dateOrTimeOf, instantOf, type Times } from './times.ts'

/** A component that describes a whole series, or an event that occurs once. */
export interface Master extends Part {
  readonly event: ImportedEvent & { readonly times: Times }
}

interface Override extends Part {
  /** When the occurrence would begin in its series. */
  readonly id: DateOrTime
}

export interface SeriesContext {
  readonly uid: string
  readonly reporter: Reporter
  /** The occurrences on the site, also in the trash. */
  readonly stored: readonly StoredOccurrence[]
}

/** An override that applies to all later occurrences, too. */
interface RangeOverride {
  /** Local time of its occurrence in the series. */
  readonly from: string
  readonly event: ImportedEvent & { readonly times: Times }
}

export interface Overrides {
  readonly changed: ReadonlyMap<string, ImportedEvent>
  /** The latest first. */
  readonly ranges: readonly RangeOverride[]
  /** UIDs of the occurrences whose components cannot be read. */
  readonly unread: ReadonlySet<string>
  readonly isComplete: boolean
}

/** The overrides of a series that the file contains. */
export function readOverrides(
  parts: readonly Part[],
  masters: readonly [Master, ...Master[]],
  keyOf: (id: DateOrTime, isAdded: boolean) => string,
  { uid, reporter }: SeriesContext,
): Overrides {
  const { start } = masters[0].event.times
  const overrides = withIds(uid, parts, reporter, start)
  const changed = new Map<string, ImportedEvent>()
  const ranges: RangeOverride[] = []
  const unread = new Set<string>()
  const zone = start.timeZone
  for (const { component, options, id } of overrides) {
    const own = occurrenceUid(uid, keyOf(id, options.method === 'ADD'))
    const language = languageOf(component)
    const master = masters.find((candidate) => languageOf(candidate.component) === language) ?? masters[0]
    const event = readEvent(component, options, master)
    if (!event) {
      unread.add(own)
      continue
    }
    const from = localIn(id, zone)
    // A date stands for the occurrence of that day.
    const local = id.isDate ? `${from.slice(0, 10)}${master.event.times.start.local.slice(10)}` : from
    const times = withInheritedTimes(event.times, component, master.event.times, local)
    const whole = { ...event, uid: own, times, texts: withInheritedTexts(event.texts, textsOf(masters)) }
    if (isRange(component)) ranges.push({ from: local, event: whole })
    else addEvent(changed, whole, reporter)
  }
  ranges.sort((a, b) => (a.from < b.from ? 1 : -1))
  return { changed, ranges, unread, isComplete: overrides.length === parts.length && unread.size === 0 }
}

const languageOf = (component: Component) => parameterOf(findProperty(component, 'summary'), 'language')

const textsOf = (masters: readonly Master[]): EventText[] =>
  masters.reduce<EventText[]>((texts, { event }) => withInheritedTexts(texts, event.texts), [])

/** Occurrences of a series that the file does not contain. They keep what the file does not say. */
export function readDetached(parts: readonly Part[], context: SeriesContext): ImportedEvent[] {
  const { uid, reporter, stored } = context
  return withIds(uid, parts, reporter).flatMap(({ component, options, id }) => {
    const event = readEvent(component, options)
    if (!event) return []
    const local = (zone: string) => localIn(isFloating(component) ? { ...id, timeZone: zone } : id, zone)
    const isAdded = options.method === 'ADD'
    const found = findOccurrences(stored, { local, isDate: id.isDate }, isRange(component)).filter(
      ({ occurrence }) => !isAdded || occurrence.startsLocal.startsWith(local(occurrence.timeZone)),
    )
    const changed = found.map(({ occurrence, from, to }) => {
      const times = event.times && movedBy(lastingAs(event.times, component, occurrence), from, to)
      return { ...event, uid: occurrence.uid, times }
    })
    if (changed.length > 0) return changed
    const [sibling] = stored
    const hasOther = stored.some(({ startsLocal, timeZone }) => startsLocal.startsWith(local(timeZone).slice(0, 10)))
    const length = isAdded && hasOther ? '20261201T180000'.length : (sibling?.key.length ?? '20261201'.length)
    const key = local(sibling?.timeZone ?? id.timeZone)
      .replace(/[-:]/g, '')
      .slice(0, length)
    const times = event.times ?? { start: id, end: id, isAllDay: id.isDate }
    return [{ ...event, uid: occurrenceUid(uid, key), times }]
  })
}

function lastingAs(times: Times, component: Component, { allDay, startsLocal, endsLocal }: StoredOccurrence): Times {
  if (allDay) return times
  const at = (local: string) => ({ ...times.start, local, instant: undefined })
  const stored = { start: at(startsLocal), end: at(endsLocal), isAllDay: false }
  return withInheritedTimes(times, component, stored, times.start.local)
}

/** Cancels all dates of a series, or else the event that occurs once. */
export function readCancellation(parts: readonly Part[], { stored }: SeriesContext): ImportedEvent[] {
  const events = parts.filter(isCancel).flatMap(({ component, options }) => readEvent(component, options) ?? [])
  const current = stored.filter(({ isTrashed }) => !isTrashed)
  return events.flatMap((event) => (current.length > 0 ? current.map(({ uid }) => ({ ...event, uid })) : event))
}

/** The local time in a zone. */
const localIn = (time: DateOrTime, zone: string): string =>
  time.isDate ? time.local : toWallClock(instantOf(time), zone)

function withIds(uid: string, parts: readonly Part[], reporter: Reporter, start?: DateOrTime): Override[] {
  return parts.flatMap(({ component, options }) => {
    const id = dateOrTimeOf(idProperty(component), options.zones, start)
    if (!id) {
      reporter.skip({ uid, line: component.line }, 'RECURRENCE-ID is not a date.')
      return []
    }
    const range = rangeOf(component)
    if (range !== undefined && range !== 'THISANDFUTURE') {
      const text = `RANGE=${range.slice(0, 20)} is not supported, only one occurrence was changed.`
      reporter.noteOn({ uid, line: component.line })(text)
    }
    return [{ component, options, id }]
  })
}

/** METHOD:ADD adds an occurrence without RECURRENCE-ID. */
const idProperty = (component: Component) =>
  findProperty(component, 'recurrence-id') ??
  (component.unread.includes('recurrence-id') ? undefined : findProperty(component, 'dtstart'))

const rangeOf = (component: Component) => parameterOf(findProperty(component, 'recurrence-id'), 'range')?.toUpperCase()

const isRange = (component: Component) => rangeOf(component) === 'THISANDFUTURE'

function isFloating(component: Component): boolean {
  const property = idProperty(component)
  return !parameterOf(property, 'tzid') && !textOf(property)?.endsWith('Z')
}
