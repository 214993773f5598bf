// Parses content lines to components with properties. Calls ical.js for each property separately, so that an invalid line
// does not prevent reading the others.
import ICAL from 'ical.js'
import { normalizeIso } from '../../basics/dates/iso-text.ts'
import { type ContentLine, quoteForMessage } from './content-lines.ts'
import type { Reporter } from './report.ts'

export interface Property {
  /** Name in lower case. */
  readonly name: string
  readonly line: number
  readonly parameters: Readonly<Record<string, string | readonly string[]>>
  /** The value type in lower case, such as `text` or `date-time`. */
  readonly type: string
  /** As in jCal (RFC 7265), but rules as text, and dates and times in the form of normalizeIso, or as text if they are invalid. */
  readonly values: readonly unknown[]
}

export interface Component {
  /** In lower case. */
  readonly name: string
  readonly line: number
  readonly properties: Property[]
  readonly children: Component[]
  /** Names of properties that could not be parsed. */
  readonly unread: string[]
  /** Why the component must not be imported; undefined if it is complete. */
  damage: string | undefined
}

const maxComponents = 50_000
/** Maximum number of properties of one component. */
const maxProperties = 5000
const maxDepth = 10

/** Returns the top-level components, usually VCALENDAR. Throws if the file has too many components. */
export function parseComponents(lines: readonly ContentLine[], reporter: Reporter): Component[] {
  const root = createComponent('', 0)
  const open = [root]
  let count = 0
  for (const line of lines) {
    const { number, text } = line
    const [, edge, upperName = ''] = /^(begin|end):\s*([\w-]+)\s*$/i.exec(text) ?? []
    const name = upperName.toLowerCase()
    const top = open.at(-1) ?? root
    if (edge === undefined) addProperty(top, line, reporter)
    else if (edge.toLowerCase() === 'end') {
      const index = open.findLastIndex((component) => component.name === name)
      if (index >= 1) open.splice(index)
      else reporter.add(`Line ${number} ends a component that did not begin: END:${name.toUpperCase()}.`)
    } else {
      count += 1
      if (count > maxComponents) {
        throw new Error(`The file has more than ${maxComponents} components. Split it into smaller files.`)
      }
      // Events and time zones are never nested in each other: if one begins within another, the END of the other is missing.
      const index = separate.has(name)
        ? open.findIndex((other) => other.name !== 'vcalendar' && separate.has(other.name))
        : -1
      const unfinished = open[index]
      if (unfinished) {
        reporter.add(`END:${unfinished.name.toUpperCase()} is missing before line ${number}.`)
        open.splice(index)
      }
      const component = createComponent(name, number)
      open.at(-1)?.children.push(component)
      if (open.length <= maxDepth) open.push(component)
    }
  }
  for (const component of open.slice(1)) {
    component.damage = `The file ends within it: END:${component.name.toUpperCase()} is missing.`
  }
  return root.children
}

function createComponent(name: string, line: number): Component {
  return { name, line, properties: [], children: [], unread: [], damage: undefined }
}

const separate: ReadonlySet<string> = new Set([
  ...['vevent', 'vtodo', 'vjournal', 'vfreebusy', 'vtimezone', 'vcalendar'],
])

function addProperty(component: Component, line: ContentLine, reporter: Reporter): void {
  const property = component.properties.length < maxProperties ? parseProperty(line) : undefined
  if (property) component.properties.push(property)
  else if (component.properties.length >= maxProperties) {
    component.damage ??= `It has more than ${maxProperties} properties.`
  } else {
    component.unread.push(/^[\w-]*/.exec(line.text)?.[0].toLowerCase() ?? '')
    reporter.add(`Line ${line.number} cannot be read: ${quoteForMessage(line.text)}`)
  }
}

function parseProperty({ number, text }: ContentLine): Property | undefined {
  const [, ruleName, rule] = /^(rrule|exrule)(?:;[^:]*)?:(?:rrule:)?(.*)$/i.exec(text) ?? []
  if (ruleName !== undefined) return propertyOf(number, [ruleName.toLowerCase(), {}, 'recur', rule])
  const line = withoutInnerQuotes(withUsualValue(text).replace(/(?<!\\)\\([:"])/g, '$1'))
  for (const attempt of [line, withoutParameters(line)]) {
    try {
      return propertyOf(number, dateProperty(attempt) ?? ICAL.parse.property(attempt, ICAL.design.icalendar))
    } catch {
      // The next attempt rewrites the line before parsing.
    }
  }
  return undefined
}

const propertyOf = (line: number, [name, parameters, type, ...values]: readonly unknown[]) =>
  ({ name, line, parameters, type, values }) as Property

/** Rewrites GEO values such as `48,85;2,35` or `48.85,2.35` in the form of RFC 5545: `48.85;2.35`. */
function withUsualValue(text: string): string {
  const [, geo, latitude, south, longitude, east] =
    /^(GEO[^:]*:)\s*(-?\d+)(?:[.,](\d+))?\s*[;,]\s*(-?\d+)(?:[.,](\d+))?\s*$/i.exec(text) ?? []
  return geo === undefined ? text : `${geo}${latitude}.${south ?? 0};${longitude}.${east ?? 0}`
}

/** Removes the inner quotes of the first parameter with a value such as `CN="The "Old" Mill"`. */
const withoutInnerQuotes = (text: string): string =>
  text.replace(
    /^([A-Za-z0-9-]+;(?:[A-Za-z0-9-]+=(?:"[^"]*"|[^":;]*);)*[A-Za-z0-9-]+=)"([^:;]{0,500})"(?=[;:])/,
    (_, before: string, value: string) => `${before}"${value.replaceAll('"', "'")}"`,
  )

const withoutParameters = (text: string): string => text.replace(/^([A-Za-z0-9-]+);.*?:/, '$1:')

/** A line with a date property. Its value starts after the first colon before a date: a TZID may contain colons, too. */
const datePattern =
  /^(dtstart|dtend|recurrence-id|exdate|rdate|last-modified|dtstamp|created)(?:(;.*?)?:\s*(?=\d{4}-?\d\d-?\d\d[\dtz\s:.,/+pwdhms-]*$)|(;[^:]*)?:)(.*)$/i

/** Parses a line in jCal form, with values in the form of normalizeIso, or as text if invalid. Undefined if it has no date. */
function dateProperty(line: string): readonly unknown[] | undefined {
  // Some programs write the closing quote of a parameter after the value.
  const unquoted = line.replace(/="([^":]*):([^":]*)"$/, '="$1":$2')
  const [, name, before, otherwise, value] = datePattern.exec(unquoted) ?? []
  if (name === undefined || value === undefined) return undefined
  const parameters = before ?? otherwise ?? ''
  const others = parameters
    .replace(/;value=[^;]*/i, '')
    .replace(/;tzid=(?!"[^"]*")(.*?)(?=;[a-z-]+=|$)/i, (_, zone: string) => {
      // The closing quote may be missing, and other parameters may follow.
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
        .map((text) => normalizeIso(isDate ? text.replace(/[T ]0+Z?$/i, '') : text) ?? text.trim())
      return texts.length === 1 ? texts[0] : texts
    })
  return [name.toLowerCase(), parsed, isDate ? 'date' : 'date-time', ...values]
}

export const findProperty = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((property) => property.name === name)

export const findProperties = ({ properties }: Component, ...names: string[]): Property[] =>
  properties.filter(({ name }) => names.includes(name))

/** Returns the values as one text; undefined if the property is missing. */
export function textOf(property: Property | undefined): string | undefined {
  if (!property) return undefined
  const value = property.values.map(String).join(',')
  const text = property.type === 'unknown' ? unescapeText(value) : value
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '').trim()
}

const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, character: string) => (character.toLowerCase() === 'n' ? '\n' : character))

/** Returns the first value of a parameter. */
export function parameterOf(property: Property | undefined, name: string): string | undefined {
  const value = property?.parameters[name]
  return typeof value === 'string' ? value : value?.[0]
}
