// Reads events, and finds the records that are nested in them.
import { decodeHTML } from 'entities'
import { z } from 'zod'
import { type CurrencyDefaults, parseCost } from '../../calendar/event/cost.ts'
import { kinds } from '../../kinds.ts'
import type { ToolKind } from '../operations.ts'
import { flagSchema, idSchema, lineSchema, readItemId, toItems } from './fields.ts'
import type { ImportFindings, RecordLabel } from './findings.ts'
import { type ReadRecordContext, readWebsite } from './read-post.ts'
import { readSchedule } from './read-schedule.ts'
import type { SourceEvent, SourcePost } from './source-records.ts'

const event = z.object({
  all_day: flagSchema,
  show_map: flagSchema,
  show_map_link: flagSchema,
  hide_from_listings: flagSchema,
  sticky: flagSchema,
  featured: flagSchema,
  parent: idSchema,
  post_parent: idSchema,
})

const state = z.object({
  is_virtual: flagSchema,
  virtual_url: z.string().trim().catch(''),
  event_status: z.string().catch(''),
})

export const knownEventFields: readonly string[] = [
  ...Object.keys(event.shape),
  ...Object.keys(state.shape),
  ...'cost cost_details website venue organizer categories tags custom_fields timezone timezone_abbr'.split(' '),
  ...['start_date', 'end_date', 'utc_start_date', 'utc_end_date'].flatMap((name) => [name, `${name}_details`]),
]

/** Returns the venues, organizers, categories and tags that are nested in an event. */
export function readNestedItems(item: unknown): Readonly<Record<NestedKind, readonly unknown[]>> {
  const { venue, organizer, categories, tags } = Object(item)
  return { venue: toItems(venue), organizer: toItems(organizer), category: toItems(categories), tag: toItems(tags) }
}

/** The day at the end of the URL of a date of a recurring event, with its number on that day. */
export const dayOfUrl = /\/\d{4}-\d\d-\d\d(\/\d+)?\/?$/

export type NestedKind = Exclude<ToolKind, 'event'>
type EventFields = Omit<SourceEvent, keyof SourcePost>

/** Returns the fields of an event. Without a start it is reported as skipped, and undefined. */
export function readEventFields(
  subject: RecordLabel,
  source: Readonly<Record<string, unknown>>,
  url: string,
  context: ReadRecordContext,
): EventFields | undefined {
  const { findings } = context
  const data = event.parse(source)
  const schedule = readSchedule(source, context.siteTimeZone)
  if (!schedule) return findings.skip(subject, 'The event has no start_date in the form YYYY-MM-DD HH:MM:SS.')
  const { notes, ...dates } = schedule
  for (const note of notes) findings.note(subject, note)
  const cost = readCostEntries(source.cost, source.cost_details, context.currency)
  if (!cost.isExact) findings.lossy('event', 'cost', source.cost)
  const nested = readNestedItems(source)
  // For an event without a website, the site sends the URL of the event's page.
  const { website } = source
  const hasNoWebsite = typeof website !== 'string' || (website !== '' && decodeHTML(website) === decodeHTML(url))
  return {
    ...dates,
    allDay: data.all_day ?? false,
    cost: cost.entries,
    website: hasNoWebsite ? undefined : readWebsite(website, subject, context),
    showMap: data.show_map ?? true,
    showMapLink: data.show_map_link ?? true,
    hideFromListings: data.hide_from_listings ?? false,
    sticky: data.sticky ?? false,
    featured: data.featured ?? false,
    customFields: readCustomFields(source.custom_fields),
    ...readEventState(source, findings),
    parent: data.parent ?? data.post_parent,
    isDate: dayOfUrl.test(url),
    venues: idsOf(nested.venue),
    organizers: idsOf(nested.organizer),
    categories: termIds('category', nested.category, context),
    tags: termIds('tag', nested.tag, context),
  }
}

const customField = z.object({ label: z.string().optional().catch(undefined), value: z.unknown().optional() })

function readCustomFields(value: unknown): SourceEvent['customFields'] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) => {
    const { data } = customField.safeParse(field)
    const named = data && typeof field === 'object' && 'value' in Object(field) ? data : { label: key, value: field }
    if (named.value === undefined || named.value === null) return []
    return [{ key, label: decodeHTML(named.label ?? key), value: named.value }]
  })
}

const states: Readonly<Record<string, SourceEvent['eventStatus']>> = {
  scheduled: 'scheduled',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  postponed: 'postponed',
  rescheduled: 'rescheduled',
  movedonline: 'moved_online',
}
const modes = ['offline', 'online', 'mixed'] as const

const jsonLd = z
  .object({ eventStatus: z.string().catch(''), eventAttendanceMode: z.string().catch('') })
  .catch({ eventStatus: '', eventAttendanceMode: '' })

/** Reads the status, the attendance mode and the online URL of an event: from its own fields, or else from JSON-LD. */
export function readEventState(item: unknown, findings: ImportFindings) {
  const { is_virtual, virtual_url, event_status } = state.parse(item)
  const linked = jsonLd.parse(Object(item).json_ld)
  // `https://schema.org/EventCancelled`, `OnlineEventAttendanceMode`
  const status = event_status || linked.eventStatus.replace(/^.*\/Event/, '')
  const eventStatus = states[status.toLowerCase().replaceAll(/[^a-z]/gi, '')]
  if (status !== '' && !eventStatus) findings.lossy('event', 'event_status', status)
  const named = /(\w+)EventAttendanceMode$/.exec(linked.eventAttendanceMode)?.[1]?.toLowerCase()
  const mode = modes.find((each) => each === named)
  const url = decodeHTML(virtual_url)
  const isUrl = URL.canParse(url) && /^https?:\/\/\S+$/i.test(url)
  if (url !== '' && !isUrl) findings.lossy('event', 'virtual_url', url)
  return {
    eventStatus: eventStatus ?? 'scheduled',
    attendanceMode: is_virtual && mode !== 'mixed' ? 'online' : (mode ?? 'offline'),
    onlineUrl: isUrl ? url : undefined,
  } satisfies Partial<SourceEvent>
}

const idsOf = (items: readonly unknown[]) => [...new Set(items.flatMap((item) => readItemId(item) ?? []))]

/** Returns the IDs of the event's terms. If a site sends terms without ID, their slugs decide. */
function termIds(
  kind: 'category' | 'tag',
  items: readonly unknown[],
  { terms, findings }: ReadRecordContext,
): number[] {
  const ids = items.flatMap((item) => {
    const found = readItemId(item) ?? terms[kind].get(Object(item).slug)
    if (found === undefined) findings.lossy('event', kinds[kind].plural, item)
    return found ?? []
  })
  return [...new Set(ids)]
}

const details = z
  .object({
    currency_symbol: lineSchema,
    currency_position: z.string().catch(''),
    values: z.array(z.union([z.string(), z.number()]).transform(String)).catch([]),
  })
  .catch({ currency_symbol: '', currency_position: '', values: [] })

/**
 * Finds cost entries from which this service computes the same cost text as the site, which does not send its own entries.
 * `isExact`: whether there are such entries.
 */
function readCostEntries(cost: unknown, costDetails: unknown, currency: CurrencyDefaults) {
  const text = lineSchema.parse(cost)
  const { currency_symbol: symbol, currency_position: position, values } = details.parse(costDetails)
  const numbers = values.filter((value) => /^\d/.test(value))
  if (text === '' && numbers.length === 0) return { entries: [], isExact: true }
  const withSymbol = numbers.map((value) => (position === 'postfix' ? `${value}${symbol}` : `${symbol}${value}`))
  // In order of preference.
  const candidates = [...(symbol ? [withSymbol] : []), numbers, [text], text.split(/\s+[-–—]\s+/)]
  const score = (entries: readonly string[]) => {
    const read = parseCost(entries, currency)
    return (
      (read?.text === text ? 8 : 0) +
      (read?.values.join() === values.join() ? 4 : 0) +
      (read?.currencySymbol === symbol ? 2 : 0) +
      (read?.currencyPosition === position ? 1 : 0)
    )
  }
  const scored = candidates.filter(({ length }) => length > 0).map((entries) => ({ entries, score: score(entries) }))
  const [best] = scored.filter((each) => each.score >= 8).sort((a, b) => b.score - a.score)
  return { entries: best?.entries ?? [text], isExact: best !== undefined }
}
