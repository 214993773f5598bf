// Groups the components of a file by UID.
import { type Component, findProperties, findProperty } from './parse-components.ts'
import { type ReadOptions, uidOf } from './read-event.ts'
import { isCancellation, readSequence } from './read-state.ts'
import type { Reporter } from './report.ts'

/** A component with the options of its calendar. */
export interface Part {
  readonly component: Component
  readonly options: ReadOptions
}

/** All components with a UID. */
export interface Series {
  /** In several languages, or in several versions. */
  readonly masters: Part[]
  /** Components that describe one occurrence. */
  readonly overrides: Part[]
  /** Whether the file may lack a part of it. */
  isDamaged: boolean
}

export function groupComponents(
  calendars: readonly (readonly [Component, ReadOptions])[],
  reporter: Reporter,
): Map<string, Series> {
  const all = new Map<string, Series>()
  for (const [calendar, options] of calendars) {
    const isCut = calendar.name === 'vcalendar' && calendar.damage !== undefined
    if (isCut) reporter.add('END:VCALENDAR is missing: the file may be incomplete, and no event was removed.')
    // A VEVENT outside of a VCALENDAR.
    const components = calendar.name === 'vevent' ? [calendar] : calendar.children
    for (const component of components) {
      if (component.name === 'vtimezone') continue
      const uid = uidOf(component)
      if (component.name !== 'vevent') {
        const reason = `${component.name.toUpperCase()} is not an event. Only VEVENT is imported.`
        reporter.skip({ uid: findProperty(component, 'uid') ? uid : null, line: component.line }, reason)
        continue
      }
      if (answers.has(options.method)) {
        const reason = `METHOD:${options.method} answers an invitation, and changes no event.`
        reporter.skip({ uid, line: component.line }, reason)
        continue
      }
      const series = all.get(uid) ?? { masters: [], overrides: [], isDamaged: false }
      all.set(uid, series)
      const isOverride =
        findProperty(component, 'recurrence-id') !== undefined ||
        component.unread.includes('recurrence-id') ||
        options.method === 'ADD'
      ;(isOverride ? series.overrides : series.masters).push({ component, options })
      series.isDamaged ||= isCut || component.unread.some((name) => recurrenceNames.has(name))
    }
  }
  return all
}

/** Methods of RFC 5546 that an attendee sends. */
const answers: ReadonlySet<string> = new Set(['REPLY', 'REFRESH', 'COUNTER', 'DECLINECOUNTER'])

const recurrenceNames: ReadonlySet<string> = new Set(['rrule', 'rdate'])

const isRecurring = (component: Component): boolean => findProperties(component, 'rrule', 'rdate').length > 0

/** Of versions of a series, that with the highest SEQUENCE; the others are skipped. */
export function newestMasters(uid: string, masters: readonly Part[], reporter: Reporter): readonly Part[] {
  if (masters.length < 2 || !masters.some((master) => isRecurring(master.component) || isCancel(master))) {
    return masters
  }
  const sequenceOf = ({ component }: Part) => readSequence(component) ?? 0
  const languageOf = ({ component }: Part) => findProperty(component, 'summary')?.parameters.language ?? ''
  return masters.filter((master) => {
    const newer = masters.find((other) => {
      const isVersion = languageOf(other) === languageOf(master) || isCancel(other) || isCancel(master)
      const isLater = sequenceOf(other) === sequenceOf(master) && isCancel(other) && !isCancel(master)
      return isVersion && (sequenceOf(other) > sequenceOf(master) || isLater)
    })
    if (newer) {
      const { line } = newer.component
      reporter.skip(
        { uid, line: master.component.line },
        `The file has another event with this UID at line ${line}, which is newer.`,
      )
    }
    return !newer
  })
}

export const isCancel = ({ component, options }: Part): boolean => isCancellation(component, options.method)
