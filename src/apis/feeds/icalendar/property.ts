// Components and properties of iCalendar (RFC 5545) as jCal, which ical.js writes as text.
import ICAL from 'ical.js'

type Parameters = Readonly<Record<string, string | undefined>>

/** A property of jCal: name, parameters, type of the value, values. */
export type Property = readonly [name: string, parameters: Parameters, type: string, ...values: readonly unknown[]]

export type Component = readonly [name: string, properties: readonly Property[], components: readonly Component[]]

/** ical.js does not count the space that begins a continuation line, and lines have at most 75 octets. */
ICAL.foldLength = 74

/** Lines, each with its line break. */
export const formatComponent = (component: Component): string => `${ICAL.stringify(component as never)}`

export const formatProperties = (properties: readonly Property[]): string =>
  properties
    .map((property) => `${ICAL.stringify.property(property as never, ICAL.design.icalendar, false)}\r\n`)
    .join('')

/** All line breaks become line feeds, which ical.js escapes, so that no text can begin another property. */
export const cleanText = (text: string): string =>
  text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '')

/** Text for a parameter: one line. RFC 6868 is applied by ical.js. */
const cleanParameter = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

const cleanParameters = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => (value ? [[name, cleanParameter(value)] as const] : [])),
  )

type Text = string | null | undefined

export function textProperty(name: string, text: Text, parameters: Parameters = {}): Property[] {
  const value = cleanText(text ?? '').trim()
  return value === '' ? [] : [[name, cleanParameters(parameters), 'text', value]]
}

/** Like textProperty, for a property that ical.js does not know: it would add `VALUE=TEXT`, which some clients do not read. */
export const extensionProperty = (name: string, text: Text, parameters: Parameters = {}): Property[] =>
  textProperty(name, text, parameters).map(([, checked, , value]) => {
    return [name, checked, 'unknown', ICAL.design.icalendar.value.text.toICAL(String(value))]
  })

/** No property unless the URI is absolute and without blanks and control characters. */
export function uriProperty(name: string, uri: Text, parameters: Parameters = {}, type = 'uri'): Property[] {
  if (!uri || !URL.canParse(uri) || /[\s\p{Cc}]/u.test(uri)) return []
  return [[name, cleanParameters(parameters), type, uri]]
}
