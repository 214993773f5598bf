// Components and properties of iCalendar (RFC 5545) as jCal, which ical.js writes as text.
import ICAL from 'ical.js'

type Parameters = Readonly<Record<string, string | undefined>>

/** A property as jCal (RFC 7265): name, parameters, type of the value, values. */
export type Property = readonly [name: string, parameters: Parameters, type: string, ...values: readonly unknown[]]

/** A component as jCal (RFC 7265), such as VEVENT: name, properties, nested components. */
export type Component = readonly [name: string, properties: readonly Property[], components: readonly Component[]]

/** Lines have at most 75 octets. ical.js does not count the space at the start of a continuation line. */
ICAL.foldLength = 74

/** Returns the lines of the component as text, each with its line break. */
export const formatComponent = (component: Component): string => `${ICAL.stringify(component as never)}`

export const formatProperties = (properties: readonly Property[]): string =>
  properties
    .map((property) => `${ICAL.stringify.property(property as never, ICAL.design.icalendar, false)}\r\n`)
    .join('')

/** Replaces all line breaks by line feeds, which ical.js escapes, so that no text can inject a property. */
export const cleanText = (text: string): string =>
  text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '')

/** Joins lines, because a parameter cannot contain line breaks. ical.js escapes other characters by RFC 6868. */
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

/** Returns a text property that ical.js does not know, without `VALUE=TEXT`, which ical.js would add and some clients misread. */
export const extensionProperty = (name: string, text: Text, parameters: Parameters = {}): Property[] =>
  textProperty(name, text, parameters).map(([, checked, , value]) => {
    return [name, checked, 'unknown', ICAL.design.icalendar.value.text.toICAL(String(value))]
  })

/** Returns a property, or none if the URI is not absolute or contains blanks or control characters. */
export function uriProperty(name: string, uri: Text, parameters: Parameters = {}, type = 'uri'): Property[] {
  if (!uri || !URL.canParse(uri) || /[\s\p{Cc}]/u.test(uri)) return []
  return [[name, cleanParameters(parameters), type, uri]]
}
