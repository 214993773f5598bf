// The components of a series: a VEVENT with a rule for each rule, and one with RECURRENCE-ID for each date that differs from it.
import ICAL from 'ical.js'
import { toInstant } from '../../../basics/time.ts'
import type { FeedEventFragment } from '../../../generated/graphql/graphql.ts'
import type { FeedItem } from '../format.ts'
import { timeProperties, timeProperty, toEventComponent, zoneProperty } from './event.ts'
import type { Component, Property } from './property.ts'

export function toSeriesComponents(item: FeedItem, { rules, changed }: NonNullable<FeedItem['repeats']>): Component[] {
  return rules.flatMap((text, index) => {
    const series = { databaseId: item.databaseId, uid: uidOfRule(item.uid, index) }
    const isAllDay = text.startsWith('DTSTART;VALUE=DATE')
    const ofRule = changed.filter(({ rule }) => rule === index)
    const lines = text.split('\n').map((line) => ICAL.parse.property(line) as unknown as Property)
    const left = ofRule.flatMap(({ event, isShown }) => (isShown ? [] : [originalStart('exdate', event, isAllDay)]))
    const master = { ...item, ...series, allDay: isAllDay }
    return [
      toEventComponent(master, [...lines, ...left, ...(isAllDay ? zoneProperty(item) : [])]),
      ...ofRule.flatMap(({ event, isShown }) => {
        if (!isShown) return []
        const date = { ...event, ...series, allDay: isAllDay }
        return [toEventComponent(date, [originalStart('recurrence-id', event, isAllDay), ...timeProperties(date)])]
      }),
    ]
  })
}

/** The UID of the first rule is that of the series, such as `12@host`; those of the others are `12-2@host` and so on. */
function uidOfRule(uid: string, index: number): string {
  if (index === 0) return uid
  const at = uid.includes('@') ? uid.indexOf('@') : uid.length
  return `${uid.slice(0, at)}-${index + 1}${uid.slice(at)}`
}

/** The start by the rule, in the form of DTSTART; in UTC if the clocks repeat the hour. */
function originalStart(name: string, event: FeedEventFragment, isAllDay: boolean): Property {
  const { originalStartsLocal, startsLocal, timeZone } = event
  const local = originalStartsLocal ?? startsLocal
  return isAllDay
    ? [name, {}, 'date', local.slice(0, 10)]
    : timeProperty(name, local, toInstant(local, timeZone), { ...event, allDay: false })
}
