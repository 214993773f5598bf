// Many programs write only the changed properties of a modified occurrence. The others are inherited from the series.
import { shiftWallClock, wallClockToDate } from '../../basics/time.ts'
import { type Component, findProperties } from './parse-components.ts'
import { conferencePropertyNames } from './read-links.ts'
import type { EventText } from './read-texts.ts'
import { addDuration, type DateOrTime, type EventTimes } from './times.ts'

/**
 * Groups of properties about the same matter. An occurrence with one property of a group inherits no property of it. Texts
 * and times are inherited by the functions below.
 */
const groups = [
  ['sequence'],
  ['status'],
  ['class'],
  ['categories'],
  ['location', 'geo', 'x-apple-structured-location', 'vlocation'],
  ['organizer', 'contact'],
  ['url'],
  conferencePropertyNames,
  ['image', 'attach'],
  ['x-cost'],
]

/** Returns the component with the properties that it lacks, taken from its series. */
export function inheritProperties(component: Component, series: Component): Component {
  const own = new Set([...component.properties, ...component.children].map(({ name }) => name))
  const lacking = new Set(groups.filter((group) => !group.some((name) => own.has(name))).flat())
  const inherited = ({ name }: { readonly name: string }) => lacking.has(name)
  return {
    ...component,
    properties: [...component.properties, ...series.properties.filter(inherited)],
    children: [...component.children, ...series.children.filter(inherited)],
  }
}

/** Fills in titles, descriptions and languages that the occurrence lacks, from its series. */
export function inheritTexts(texts: readonly EventText[], series: readonly EventText[]): EventText[] {
  const complete = texts.map((text) => ({ ...series.find(({ language }) => language === text.language), ...text }))
  return [...complete, ...series.filter(({ language }) => !texts.some((text) => text.language === language))]
}

/** Returns the times of a modified occurrence, which without changes starts at `local` and lasts as long as the others. */
export function inheritTimes(
  own: EventTimes | undefined,
  component: Component,
  series: EventTimes,
  local: string,
): EventTimes {
  if (!own) return lasting(shiftTimes(series, series.start.local, local))
  const hasEnd = findProperties(component, 'dtend', 'duration').length > 0
  if (hasEnd || own.isAllDay !== series.isAllDay) return own
  if (series.duration && !series.isAllDay) return lasting({ ...own, duration: series.duration })
  const { end } = shiftTimes(series, series.start.local, own.start.local)
  const isSameZone = end.timeZone === series.start.timeZone
  return { ...own, end: isSameZone ? { ...own.start, local: end.local, instant: undefined } : end }
}

/** Recomputes the end from the duration: if the UTC offset changes between start and end, the local end moves. */
const lasting = (times: EventTimes): EventTimes =>
  times.duration && !times.isAllDay ? { ...times, end: addDuration(times.start, times.duration) } : times

/** Moves the times by the time between the two local times `from` and `to`. */
export function shiftTimes(times: EventTimes, from: string, to: string): EventTimes {
  const length = wallClockToDate(to).getTime() - wallClockToDate(from).getTime()
  const move = (time: DateOrTime): DateOrTime =>
    length === 0 ? time : { ...time, local: shiftWallClock(time.local, length), instant: undefined }
  return { ...times, start: move(times.start), end: move(times.end) }
}
