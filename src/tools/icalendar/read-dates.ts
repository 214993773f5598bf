// Reads the components that change, add or cancel single dates of a recurring event.
import { toWallClock } from '../../basics/time.ts'
import { inheritTexts, inheritTimes, shiftTimes } from './inherit.ts'
import { type Component, findProperty, parameterOf, textOf } from './parse-components.ts'
import { type ImportedEvent, type MasterEvent, readEvent, type VEvent } from './read-event.ts'
import type { EventText } from './read-texts.ts'
import type { Reporter } from './report.ts'
import { type DateOrTime, type EventTimes, instantOf, readDateOrTime } from './times.ts'

/** A change of one date, or, with `isRange`, of it and all later ones. */
export interface DateChange {
  /** RECURRENCE-ID: the start of the date without the change. */
  readonly id: DateOrTime
  readonly isRange: boolean
  /** Whether METHOD:ADD adds the date. */
  readonly isAdded: boolean
  readonly event: ImportedEvent
  /** Returns the local time of RECURRENCE-ID in a time zone. */
  localIn(zone: string): string
  /** Returns the times of a date that the change names and that has these times without it. */
  timesOf(usual: EventTimes): EventTimes
}

/** Reads the changes of dates. What they lack, they have from the component of the whole event if the file has one. */
export function readDateChanges(
  uid: string,
  parts: readonly VEvent[],
  masters: readonly MasterEvent[],
  reporter: Reporter,
): DateChange[] {
  const start = masters[0]?.event.times.start
  return parts.flatMap(({ component, options }) => {
    const id = readDateOrTime(idProperty(component), options.zones, start)
    if (!id) {
      reporter.skip({ uid, line: component.line }, 'RECURRENCE-ID is not a date.')
      return []
    }
    const range = parameterOf(findProperty(component, 'recurrence-id'), 'range')?.toUpperCase()
    if (range !== undefined && range !== 'THISANDFUTURE')
      reporter.noteOn({ uid, line: component.line })(
        `RANGE=${range.slice(0, 20)} is not supported: only one date was changed.`,
      )
    const language = languageOf(component)
    const master = masters.find((candidate) => languageOf(candidate.component) === language) ?? masters[0]
    const event = readEvent({ component, options }, master)
    if (!event) return []
    const isFloating =
      !start && !parameterOf(idProperty(component), 'tzid') && !textOf(idProperty(component))?.endsWith('Z')
    const localIn = (zone: string) => (id.isDate || isFloating ? id.local : toWallClock(instantOf(id), zone))
    return {
      ...{ id, isRange: range === 'THISANDFUTURE', isAdded: options.method === 'ADD', localIn },
      event: master ? { ...event, texts: inheritTexts(event.texts, textsOf(masters)) } : event,
      timesOf: (usual: EventTimes) => {
        const { local, timeZone } = usual.start
        // A RECURRENCE-ID without a time names the date of that day.
        const from = id.isDate ? `${id.local.slice(0, 10)}${local.slice(10)}` : localIn(timeZone)
        const named = shiftTimes(usual, local, from)
        return shiftTimes(inheritTimes(event.times, component, named, from), from, local)
      },
    }
  })
}

const languageOf = (component: Component) => parameterOf(findProperty(component, 'summary'), 'language')

const textsOf = (masters: readonly MasterEvent[]): EventText[] =>
  masters.reduce<EventText[]>((texts, { event }) => inheritTexts(texts, event.texts), [])

/** RECURRENCE-ID, or the start of a date that METHOD:ADD adds without one. */
const idProperty = (component: Component) =>
  findProperty(component, 'recurrence-id') ??
  (component.unread.includes('recurrence-id') ? undefined : findProperty(component, 'dtstart'))
