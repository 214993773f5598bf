// Parses content lines to components with properties. ical.js parses each property by itself, so that a broken line does not
// prevent reading the others.
import ICAL from 'ical.js'
import { type ContentLine, quote } from './content-lines.ts'
import { dateProperty } from './date-property.ts'
import type { Notes } from './report.ts'

export interface Property {
  /** In lower case. */
  readonly name: string
  readonly line: number
  readonly parameters: Readonly<Record<string, string | readonly string[]>>
  /** The value type in lower case, such as `text` or `date-time`. */
  readonly type: string
  /** As in jCal (RFC 7265), but rules as their text, and dates and times as by isoText, or as their text if they are none. */
  readonly values: readonly unknown[]
}

export interface Component {
  /** In lower case. */
  readonly name: string
  readonly line: number
  readonly properties: Property[]
  readonly children: Component[]
  /** Names of properties that cannot be read. */
  readonly unread: string[]
  /** Why it must not be imported, if it is damaged. */
  damage: string | undefined
}

const maxComponents = 50_000
/** Of one component. */
const maxProperties = 5000
const maxDepth = 10

/** The top components. Throws if there are too many components. */
export function parseComponents(lines: readonly ContentLine[], notes: Notes): Component[] {
  const root = createComponent('', 0)
  const open: Component[] = [root]
  const top = () => open.at(-1) ?? root
  let count = 0
  for (const line of lines) {
    const [, edge, name = ''] = /^(begin|end):\s*([\w-]+)\s*$/i.exec(line.text) ?? []
    if (edge?.toLowerCase() === 'begin') {
      count += 1
      if (count > maxComponents) {
        throw new Error(`The file has more than ${maxComponents} components. Split it into smaller files.`)
      }
      // Components of a calendar are never inside each other: the end of the one before is missing.
      if (isCalendarComponent(name)) closeUnfinished(open, line, notes)
      const component = createComponent(name.toLowerCase(), line.number)
      top().children.push(component)
      if (open.length <= maxDepth) open.push(component)
    } else if (edge) endComponent(open, name.toLowerCase(), line, notes)
    else addProperty(top(), line, notes)
  }
  for (const component of open.slice(1)) {
    component.damage = `The file ends within it: END:${component.name.toUpperCase()} is missing.`
  }
  return root.children
}

const createComponent = (name: string, line: number): Component => ({
  name,
  line,
  properties: [],
  children: [],
  unread: [],
  damage: undefined,
})

const isCalendarComponent = (name: string) => /^(vevent|vtodo|vjournal|vfreebusy|vtimezone|vcalendar)$/i.test(name)

function closeUnfinished(open: Component[], { number }: ContentLine, notes: Notes): void {
  const index = open.findIndex(({ name }) => name !== 'vcalendar' && isCalendarComponent(name))
  const unfinished = open[index]
  if (!unfinished) return
  notes.add(`END:${unfinished.name.toUpperCase()} is missing before line ${number}.`)
  open.splice(index)
}

function endComponent(open: Component[], name: string, { number }: ContentLine, notes: Notes): void {
  const index = open.findLastIndex((component) => component.name === name)
  if (index < 1) notes.add(`Line ${number} ends a component that did not begin: END:${name.toUpperCase()}.`)
  else open.splice(index)
}

function addProperty(component: Component, line: ContentLine, notes: Notes): void {
  if (component.properties.length >= maxProperties) {
    component.damage ??= `It has more than ${maxProperties} properties.`
    return
  }
  const property = parseProperty(line)
  if (property) component.properties.push(property)
  else {
    component.unread.push(/^[\w-]*/.exec(line.text)?.[0].toLowerCase() ?? '')
    notes.add(`Line ${line.number} cannot be read: ${quote(line.text)}`)
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
      // The next attempt reads it less strictly.
    }
  }
  return undefined
}

const propertyOf = (line: number, [name, parameters, type, ...values]: readonly unknown[]) =>
  ({ name, line, parameters, type, values }) as Property

/** Coordinates with decimal commas or separated by a comma. */
function withUsualValue(text: string): string {
  const [, geo, latitude, south, longitude, east] =
    /^(GEO[^:]*:)\s*(-?\d+)(?:[.,](\d+))?\s*[;,]\s*(-?\d+)(?:[.,](\d+))?\s*$/i.exec(text) ?? []
  return geo === undefined ? text : `${geo}${latitude}.${south ?? 0};${longitude}.${east ?? 0}`
}

/** Of the first parameter with a value such as `CN="The "Old" Mill"`. */
const withoutInnerQuotes = (text: string): string =>
  text.replace(
    /^([A-Za-z0-9-]+;(?:[A-Za-z0-9-]+=(?:"[^"]*"|[^":;]*);)*[A-Za-z0-9-]+=)"([^:;]{0,500})"(?=[;:])/,
    (_, before: string, value: string) => `${before}"${value.replaceAll('"', "'")}"`,
  )

const withoutParameters = (text: string): string => text.replace(/^([A-Za-z0-9-]+);.*?:/, '$1:')

/** The first property with this name. */
export const findProperty = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((property) => property.name === name)

export const findProperties = ({ properties }: Component, ...names: string[]): Property[] =>
  properties.filter(({ name }) => names.includes(name))

/** The value as text; undefined if the property is missing. */
export function textOf(property: Property | undefined): string | undefined {
  if (!property) return undefined
  const value = property.values.map(String).join(',')
  const text = property.type === 'unknown' ? unescapeText(value) : value
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '').trim()
}

const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, character: string) => (character.toLowerCase() === 'n' ? '\n' : character))

/** A parameter; of several values the first. */
export function parameterOf(property: Property | undefined, name: string): string | undefined {
  const value = property?.parameters[name]
  return typeof value === 'string' ? value : value?.[0]
}
