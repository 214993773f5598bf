// Reads properties whose values are dates.
import ICAL from 'ical.js'
import { isoText } from '../../basics/dates/iso-text.ts'

/** The value begins after the first colon that a date follows, because TZIDs such as `(UTC+01:00) Paris` have colons. */
const datePattern =
  /^(dtstart|dtend|recurrence-id|exdate|rdate|last-modified|dtstamp|created)(?:(;.*?)?:\s*(?=\d{4}-?\d\d-?\d\d[\dtz\s:.,/+pwdhms-]*$)|(;[^:]*)?:)(.*)$/i

/** As jCal, but values as by isoText, or their text if they are no dates. Undefined if the line is no date property. */
export function dateProperty(line: string): readonly unknown[] | undefined {
  // The end quote of a parameter may follow the value.
  const unquoted = line.replace(/="([^":]*):([^":]*)"$/, '="$1":$2')
  const [, name, before, otherwise, value] = datePattern.exec(unquoted) ?? []
  if (name === undefined || value === undefined) return undefined
  const parameters = before ?? otherwise ?? ''
  const others = parameters
    .replace(/;value=[^;]*/i, '')
    .replace(/;tzid=(?!"[^"]*")(.*?)(?=;[a-z-]+=|$)/i, (_, zone: string) => {
      // A quote may lack its end, and other text may follow.
      return `;TZID="${zone.replaceAll('"', '').replace(/;\w*$/, '')}"`
    })
  const [, parsed] = ICAL.parse.property(`X-DATE${others}:`, ICAL.design.icalendar) as readonly unknown[]
  const isDate = /;value=date(;|$)/i.test(parameters)
  const values = value
    .replace(/([T:]\d+),\d{1,7}(?=Z|[+-]\d\d:?\d\d(?:,|$)|,|\s|$)/gi, '$1')
    .split(',')
    .map((part) => {
      const texts = part
        .split('/')
        .map((text) => isoText(isDate ? text.replace(/[T ]0+Z?$/i, '') : text) ?? text.trim())
      return texts.length === 1 ? texts[0] : texts
    })
  return [name.toLowerCase(), parsed, isDate ? 'date' : 'date-time', ...values]
}
