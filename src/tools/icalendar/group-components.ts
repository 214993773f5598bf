// Groups the VEVENT components of a file by UID.
import { type Component, findProperty } from './parse-components.ts'
import { type ImportedEvent, isCancellation, type ReadOptions, readSequence, uidOf, type VEvent } from './read-event.ts'
import type { Reporter } from './report.ts'
import { isRecurring } from './series-schedule.ts'

/** All components with the same UID: an event, or a recurring event with its changed dates. */
export interface Series {
  /** Components without RECURRENCE-ID. There are several if the file has several languages or versions of the event. */
  readonly masters: VEvent[]
  /** Components that describe one date, which RECURRENCE-ID names. */
  readonly overrides: VEvent[]
  /** Components of further rules, in files of this service. */
  readonly furtherRules: VEvent[]
  /** Whether components of the series may be missing, because the file is damaged. */
  isDamaged: boolean
}

export function groupEventsByUid(calendars: readonly (readonly [Component, ReadOptions])[], reporter: Reporter) {
  const all = new Map<string, Series>()
  for (const [calendar, options] of calendars) {
    const isCut = calendar.name === 'vcalendar' && calendar.damage !== undefined
    if (isCut) reporter.add('END:VCALENDAR is missing: the file may be incomplete, and no event was removed.')
    // Some files have a VEVENT without a VCALENDAR around it.
    const components = calendar.name === 'vevent' ? [calendar] : calendar.children
    for (const component of components) {
      const { name, line } = component
      if (name === 'vtimezone') continue
      const uid = uidOf(component)
      if (name !== 'vevent') {
        const reason = `${name.toUpperCase()} is not an event. Only VEVENT is imported.`
        reporter.skip({ uid: findProperty(component, 'uid') ? uid : null, line }, reason)
      } else if (answers.has(options.method)) {
        reporter.skip({ uid, line }, `METHOD:${options.method} answers an invitation, and changes no event.`)
      } else {
        const series = all.get(uid) ?? { masters: [], overrides: [], furtherRules: [], isDamaged: false }
        all.set(uid, series)
        const isUnread = (names: readonly string[]) => names.some((each) => component.unread.includes(each))
        const hasId = findProperty(component, 'recurrence-id') !== undefined || isUnread(['recurrence-id'])
        const parts = hasId || options.method === 'ADD' ? series.overrides : series.masters
        parts.push({ component, options })
        series.isDamaged ||= isCut || isUnread(['rrule', 'rdate'])
      }
    }
  }
  for (const [uid, { masters, overrides }] of all) {
    const [, start = '', number, end = ''] = /^(.*?)-(\d+)(@.*)?$/.exec(uid) ?? []
    const first = number === undefined || !masters[0]?.options.isOwn ? undefined : all.get(start + end)
    if (!first?.masters.some(({ component }) => isRecurring(component))) continue
    first.furtherRules.push(...masters)
    first.overrides.push(...overrides)
    all.delete(uid)
  }
  return all
}

/** Values of METHOD (RFC 5546) in replies of attendees to an invitation. Such messages describe no event. */
const answers: ReadonlySet<string> = new Set(['REPLY', 'REFRESH', 'COUNTER', 'DECLINECOUNTER'])

/** Returns the versions of a series with the highest SEQUENCE, and reports the other versions as skipped. */
export function selectNewestMasters(uid: string, masters: readonly VEvent[], reporter: Reporter): readonly VEvent[] {
  if (!masters.some((master) => isRecurring(master.component) || isCancellation(master))) return masters
  const sequenceOf = ({ component }: VEvent) => readSequence(component) ?? 0
  const languageOf = ({ component }: VEvent) => findProperty(component, 'summary')?.parameters.language ?? ''
  return masters.filter((master) => {
    const isCancel = isCancellation(master)
    const newer = masters.find((other) => {
      const isVersion = languageOf(other) === languageOf(master) || isCancellation(other) || isCancel
      const isLater = sequenceOf(other) === sequenceOf(master) && isCancellation(other) && !isCancel
      return isVersion && (sequenceOf(other) > sequenceOf(master) || isLater)
    })
    if (newer) {
      const reason = `The file has another event with this UID at line ${newer.component.line}, which is newer.`
      reporter.skip({ uid, line: master.component.line }, reason)
    }
    return !newer
  })
}

/** Adds an event. Of two events with the same UID the newer one stays; two languages of an event are merged. */
export function addOrMergeEvent(events: Map<string, ImportedEvent>, event: ImportedEvent, reporter: Reporter): void {
  const before = events.get(event.uid) ?? event
  const added = event.texts.filter(({ language }) => !before.texts.some((text) => text.language === language))
  if (before.texts[0]?.language !== event.texts[0]?.language && added.length > 0) {
    events.set(event.uid, { ...before, texts: [...before.texts, ...added] })
    return
  }
  const kept = newer(before, event)
  events.set(event.uid, kept)
  if (before === event) return
  const reason = `The file has another event with this UID at line ${kept.line}, which is newer or comes later.`
  reporter.skip(kept === before ? event : before, reason)
}

function newer(before: ImportedEvent, after: ImportedEvent): ImportedEvent {
  const [first, second] = [before.sequence ?? 0, after.sequence ?? 0]
  if (first !== second) return first > second ? before : after
  return before.revised > after.revised ? before : after
}
