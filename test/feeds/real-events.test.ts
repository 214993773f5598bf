// Real events as iCalendar, in each language: two parsers read what GraphQL returns.
import type ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { htmlToText } from '../../src/apis/feeds/plain-text.ts'
import { addDays } from '../../src/basics/time.ts'
import { compared, type Reply } from '../helpers/app.ts'
import { eventsOf, readCalendar } from '../helpers/icalendar.ts'
import { openRealApp, type SampleApp } from '../helpers/sample.ts'

interface ApiEvent {
  readonly uid: string
  readonly sequence: number
  readonly title: string
  readonly url: string
  readonly descriptionHtml: string
  readonly excerptHtml: string
  readonly startsAt: string
  readonly endsAt: string
  readonly startsLocal: string
  readonly endsLocal: string
  readonly timeZone: string
  readonly allDay: boolean
  readonly eventStatus: string
  readonly modifiedAt: string
  readonly publishedAt: string
  readonly onlineUrl: string | null
  readonly languages: { readonly tag: string }
  readonly image: { readonly url: string } | null
  readonly venues: readonly Readonly<Record<'name' | 'city' | 'latitude' | 'longitude', string | number | null>>[]
  readonly organizers: readonly { readonly name: string; readonly email: string | null }[]
  readonly categories: readonly { readonly name: string }[]
  readonly tags: readonly { readonly name: string }[]
}

const query = `query ($after: String) {
  events(first: 100, after: $after, orderBy: { field: START }) {
    nodes {
      uid sequence title url descriptionHtml excerptHtml startsAt endsAt startsLocal endsLocal timeZone allDay eventStatus
      modifiedAt publishedAt onlineUrl languages { tag } image { url } venues { name city latitude longitude }
      organizers { name email } categories { name } tags { name }
    }
    pageInfo { hasNextPage endCursor }
  }
}`

/** All real events with PROPERTY_RUNS=all. */
const every = process.env.PROPERTY_RUNS === 'all' ? 1 : 4
let app: SampleApp
beforeAll(async () => {
  app = await openRealApp({ ...compared, PUBLIC_URL: 'https://calendar.test' }, every)
})
afterAll(() => app?.close())

async function readApiEvents(root: string): Promise<ApiEvent[]> {
  const all: ApiEvent[] = []
  for (let after: string | null = null; ; ) {
    const { body }: Reply = await app.graphql(query, { after }, root)
    const { events } = body.data
    all.push(...events.nodes)
    if (!events.pageInfo.hasNextPage) return all
    after = events.pageInfo.endCursor
  }
}

const readIcs = async (root: string) => (await readCalendar(app, `${root}/events.ics?start_date=1900-01-01`)).body

/** What `read` returns, which is the same for all tests. */
function once<Value>(read: (root: string) => Promise<Value>): (root: string) => Promise<Value> {
  const values = new Map<string, Promise<Value>>()
  return (root) => {
    const value = values.get(root) ?? read(root)
    values.set(root, value)
    return value
  }
}

const icsOf = once(readIcs)
const apiEventsOf = once(readApiEvents)

const dayAfter = (local: string) => addDays(`${local.slice(0, 10)}T00:00:00`, 1).slice(0, 10)
const seconds = (instant: string) => instant.replace('.000Z', 'Z').replace(/\.\d+Z$/, 'Z')
const sorted = (texts: readonly string[]) => [...new Set(texts)].toSorted()
const oneLine = (text: unknown) => String(text).replace(/\s+/g, ' ').trim()

/** node-ical removes quotes around a text. */
const unquoted = (text: unknown) => String(text).replace(/^"|"$/g, '')

/** What both sides are compared by. */
const expected = (event: ApiEvent) => ({
  ...{ uid: event.uid, sequence: event.sequence, title: event.title, language: event.languages.tag, url: event.url },
  start: event.allDay ? event.startsLocal.slice(0, 10) : event.startsLocal,
  end: event.allDay ? dayAfter(event.endsLocal) : event.startsAt === event.endsAt ? null : event.endsLocal,
  startsAt: event.allDay ? null : seconds(event.startsAt),
  zone: event.allDay || event.timeZone === 'UTC' ? null : event.timeZone,
  text: htmlToText(event.descriptionHtml || event.excerptHtml || ''),
  html: event.descriptionHtml || event.excerptHtml || null,
  status: { CANCELLED: 'CANCELLED', POSTPONED: 'TENTATIVE' }[event.eventStatus] ?? 'CONFIRMED',
  modified: seconds(event.modifiedAt),
  created: seconds(event.publishedAt),
  categories: sorted([...event.categories, ...event.tags].map(({ name }) => name)),
  location: event.venues.map(({ name }) => oneLine(name)),
  geo: event.venues.find(({ latitude }) => latitude !== null)?.latitude ?? null,
  organizer: event.organizers[0]?.name ?? null,
  image: event.image?.url ?? null,
  conference: event.onlineUrl,
})

function parsed(event: ICAL.Event) {
  const { component, startDate } = event
  const text = (name: string) => component.getFirstPropertyValue(name)?.toString() ?? null
  const property = (name: string) => component.getFirstProperty(name)
  const locations = text('location')
  const alternative = text('x-alt-desc')
  return {
    ...{ uid: event.uid, sequence: event.sequence, title: event.summary, url: text('url') },
    language: property('summary')?.getFirstParameter('language'),
    start: startDate.toString().replace('Z', ''),
    end: property('dtend') ? event.endDate.toString().replace('Z', '') : null,
    startsAt: startDate.isDate ? null : `${startDate.toJSDate().toISOString().slice(0, 19)}Z`,
    zone: property('dtstart')?.getFirstParameter('tzid') ?? null,
    text: event.description ?? '',
    html: alternative === null ? null : alternative.replace(/\\([\\;,n])/g, (_all, one) => (one === 'n' ? '\n' : one)),
    status: text('status'),
    ...{ modified: text('last-modified'), created: text('created') },
    categories: sorted(component.getAllProperties('categories').flatMap((each) => each.getValues().map(String))),
    location: locations === null ? [] : locations.split('; ').map((place) => place),
    geo: Number(component.getFirstProperty('geo')?.toJSON()[3]?.[0] ?? Number.NaN),
    organizer: property('organizer')?.getFirstParameter('cn') ?? null,
    ...{ image: text('image'), conference: text('conference') },
  }
}

describe.each(['', '/fr', '/es'])('the events in %j', (root) => {
  test('ical.js reads every field as GraphQL returns it', async () => {
    const events = eventsOf(await icsOf(root))
    const api = await apiEventsOf(root)
    expect(api.length).toBeGreaterThan(400 / every)
    expect(events).toHaveLength(api.length)
    const byUid = new Map(events.map((event) => [event.uid, event]))
    for (const each of api) {
      const event = byUid.get(each.uid)
      if (!event) throw new Error(`No event ${each.uid}`)
      const { location, geo, text, html, ...rest } = parsed(event)
      const { location: names, geo: latitude, text: plain, html: original, ...fields } = expected(each)
      expect(rest).toEqual(fields)
      expect(text.split('\n')).toEqual(plain.split('\n'))
      expect(html).toBe(original?.trim() ?? null)
      for (const [index, name] of names.entries()) expect(oneLine(location[index])).toContain(name)
      expect(Number.isNaN(geo) ? null : geo).toBe(latitude)
    }
  })

  test('node-ical reads the same instants, titles and texts', async () => {
    const calendar = nodeIcal.sync.parseICS(await icsOf(root))
    const api = await apiEventsOf(root)
    for (const each of api) {
      const event = calendar[each.uid]
      if (event?.type !== 'VEVENT') throw new Error(`No event ${each.uid}`)
      const value = (property: unknown) =>
        typeof property === 'object' && property !== null && 'val' in property ? property.val : property
      expect(unquoted(value(event.summary))).toBe(unquoted(each.title))
      expect(event.url).toBe(each.url)
      expect(event.status).toBe(expected(each).status)
      expect(Number(event.sequence)).toBe(each.sequence)
      if (each.allDay) expect(event.datetype).toBe('date')
      else expect(event.start.toISOString()).toBe(each.startsAt)
      expect(unquoted(value(event.description) ?? '')).toBe(unquoted(expected(each).text))
    }
  })
})

test('no line has more than 75 octets, and none splits a character', async () => {
  const text = await icsOf('/fr')
  const lines = text.split('\r\n')
  expect(lines.at(-1)).toBe('')
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75)
  expect(text).not.toMatch(/[^\r]\n|\r[^\n]/)
  expect(text.isWellFormed()).toBe(true)
})

test('each time zone of the events is described once, before its first use', async () => {
  const text = (await icsOf('')).replace(/\r\n /g, '')
  const described = [...text.matchAll(/^TZID:(.*)\r$/gm)]
  const used = [...new Set([...text.matchAll(/;TZID="?([^":\r]+)"?:/g)].map(([, name]) => name))]
  expect(described.map(([, name]) => name).toSorted()).toEqual(used.toSorted())
  for (const { index, 1: name = '' } of described) expect(index).toBeLessThan(text.indexOf(`;TZID=${name}:`))
})
