// Reads the properties that say when an event recurs.
import { parseRule, type RecurrenceRule } from '../../basics/dates/recurrence-rule.ts'
import { durationOf } from './duration.ts'
import { type Component, findProperties, parameterOf } from './parse-components.ts'
import { type DateOrTime, endAfter, toDateOrTime } from './times.ts'
import type { Zones } from './zones.ts'

export interface ReadOptions {
  readonly zones: Zones
  note(text: string): void
}

export function readRules(component: Component, name: 'rrule' | 'exrule', { note }: ReadOptions) {
  const read: RecurrenceRule[] = []
  let isComplete = true
  for (const { values } of findProperties(component, name)) {
    const text = String(values[0])
    const rule = parseRule(text)
    if (typeof rule === 'string') {
      isComplete = false
      const effect =
        name === 'rrule' ? 'the dates of the rule were not imported' : 'the dates of the rule were not excluded'
      note(`${name.toUpperCase()}:${text.slice(0, 100)} cannot be read (${rule}): ${effect}.`)
      continue
    }
    for (const problem of rule.notes) note(problem)
    read.push(rule)
  }
  return { read, isComplete }
}

export const countValues = (component: Component, name: string): number =>
  findProperties(component, name).flatMap(({ values }) => values).length

export interface ExplicitDate {
  readonly start: DateOrTime
  /** Of a period: its end. */
  readonly endFrom: ((start: DateOrTime) => DateOrTime) | undefined
}

export function readDates(
  component: Component,
  name: 'rdate' | 'exdate',
  start: DateOrTime,
  { zones, note }: ReadOptions,
): ExplicitDate[] {
  return findProperties(component, name).flatMap((property) =>
    property.values.flatMap((value) => {
      const [from, to] = [value].flat()
      const read = (text: unknown) => toDateOrTime(text, parameterOf(property, 'tzid'), zones, start)
      const date = read(from)
      if (!date) {
        note(`${name.toUpperCase()}:${String(from).slice(0, 60)} is not a date and was ignored.`)
        return []
      }
      if (date.isDate && !start.isDate && name === 'rdate')
        note(`RDATE:${String(from)} has no time: it was read with the time of DTSTART.`)
      const [end, duration] = [to === undefined ? undefined : read(to), durationOf(String(to))]
      const endFrom = duration ? (first: DateOrTime) => endAfter(first, duration) : end && (() => end)
      return [{ start: date, endFrom }]
    }),
  )
}
