// Random filter values for each kind and API, close to the generated data.
import fc from 'fast-check'
import type { Status } from '../../src/generated/prisma/enums.ts'
import { now } from './app.ts'
import type { EventValues, Range } from './oracle-events.ts'
import { day, type World } from './oracle-facts.ts'
import type { LinkedValues, Near } from './oracle-linked.ts'
import { namesOf, type TermValues } from './oracle-terms.ts'
import { fold } from './oracle-text.ts'
import { type DateName, dateNames, instantOf, type SentDate, wallOf, wallText } from './oracle-time.ts'
import { cities, words } from './oracle-world.ts'

export type Draws<Values> = { readonly [name in keyof Values]-?: fc.Arbitrary<NonNullable<Values[name]>> }

/** An ID that no record has. */
export const nobody = 999_999
const noTerm = 'nothing-of-this-name'

const statuses: readonly Status[] = ['publish', 'future', 'draft', 'pending', 'private', 'trash']
const status = fc.oneof(fc.constant(['publish'] as const), fc.subarray([...statuses], { minLength: 1 }))
const flag = fc.boolean()

const piece = fc
  .tuple(fc.constantFrom(...words), fc.nat(3), fc.nat(4))
  .map(([word, from, transform]) => {
    const part = word.includes('"') ? word : [...word].slice(from % 3, from % 3 === 0 ? undefined : 6).join('')
    const text = [...part].length < 2 || part.startsWith('-') ? word : part
    return [text, text, text.toUpperCase(), fold(text), text.toLowerCase()][transform] as string
  })
  .filter((text) => /[\p{L}\p{N}]/u.test(text))

/** Two words that may occur in the same text. */
const pair = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((two) => two.join(' '))
const phrase = pair.filter((text) => !text.includes('"')).map((text) => `"${text}"`)

const eventSearch = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: piece },
      { weight: 1, arbitrary: phrase },
      { weight: 2, arbitrary: fc.oneof(piece, phrase).map((text) => `-${text}`) },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((pieces) => pieces.join(' '))

const linkedSearch = fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join(', '))

const near: fc.Arbitrary<Near> = fc.record(
  {
    center: fc.constantFrom(...cities, { latitude: -16.8, longitude: -179.98 }),
    radius: fc.constantFrom(1, 5, 500, 9000),
  },
  { requiredKeys: ['center'] },
)

const idsOf = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id)
const knownFields = (ids: readonly number[], strays: readonly number[] = [nobody]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.constantFrom(...strays) })
const several = <T>(one: fc.Arbitrary<T>, most = 3) => fc.uniqueArray(one, { minLength: 1, maxLength: most })

const step = fc.constantFrom(0, 0, 1000, -1000, day, -day)
const edges = ({ events }: World) => fc.constantFrom(...events.flatMap(({ start, end }) => [start, end]))
const walls = (world: World) => fc.tuple(edges(world), step).map(([wall, by]) => wallOf(wall) + by)
const instants = (world: World) =>
  fc.oneof(
    fc.constant(now.getTime()),
    fc
      .constantFrom(...world.events.flatMap(({ start, end, zone }) => [start, end].map((wall) => ({ wall, zone }))))
      .chain(({ wall, zone }) => step.map((by) => instantOf(wallOf(wall), zone) + by)),
  )

const range = (bound: fc.Arbitrary<string>): fc.Arbitrary<Range> =>
  fc.record({ gt: bound, gte: bound, lt: bound, lte: bound }, { requiredKeys: [] })

const dateForms: readonly ((wall: number) => SentDate)[] = [
  (wall) => ({ text: wallText(wall).slice(0, 10), wall: Math.floor(wall / day) * day }),
  (wall) => ({ text: wallText(wall), wall }),
  (wall) => ({ text: wallText(wall).replace('T', ' '), wall }),
  (wall) => ({ text: `${wallText(wall)}Z`, instant: wall }),
  (wall) => ({ text: `${wallText(wall)}-05:00`, instant: wall + (5 * day) / 24 }),
  (wall) => ({ text: String(wall / 1000), instant: wall }),
]
const noon = wallOf('2026-11-21T00:00:00')
const date = (world: World): fc.Arbitrary<SentDate> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.tuple(walls(world), fc.constantFrom(...dateForms)).map(([wall, form]) => form(wall)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { text: 'today', wall: noon },
        { text: 'tomorrow 9am', wall: noon + day + (9 * day) / 24 },
      ),
    },
  )

const codes = fc.subarray(['EN', 'FR', 'ES'] as const, { minLength: 1 }).map((some) => [...some])
const translations = { translatedInto: codes, missingTranslation: codes }

export function eventDraws(world: World): Draws<EventValues> {
  const { events, venues, organizers, categories, tags } = world
  const dates = Object.fromEntries(dateNames.map((name) => [name, date(world)])) as Record<
    DateName,
    fc.Arbitrary<SentDate>
  >
  const instant = instants(world).map((time) => new Date(time).toISOString())
  const wall = walls(world).map(wallText)
  const strays = [nobody, events[0]?.id ?? 0]
  const criteria = {
    ...translations,
    eventStatus: fc.subarray(['SCHEDULED', 'CANCELLED', 'POSTPONED', 'RESCHEDULED', 'MOVED_ONLINE'], { minLength: 1 }),
    attendanceMode: fc.subarray(['OFFLINE', 'ONLINE', 'MIXED'], { minLength: 1 }),
    ...{ search: eventSearch, near, featured: flag, ticketed: flag, located: flag, allDay: flag, price },
    ...{ cities: several(cityOf(venues)), placeName: placeName(venues), modifiedAt: range(modified(world)) },
    authors: several(knownFields(events.flatMap(({ authorId }) => authorId ?? []))),
    categories: several(fc.oneof({ weight: 15, arbitrary: termItem(categories) }, termItem([]))),
    tags: several(fc.oneof({ weight: 15, arbitrary: termItem(tags) }, termItem([]))),
    venues: several(knownFields(idsOf(venues), strays)),
    organizers: several(knownFields(idsOf(organizers), strays)),
    parent: knownFields([...new Set(events.flatMap(({ parent }) => parent?.id ?? []))], [nobody, venues[0]?.id ?? 0]),
    include: several(knownFields(idsOf(events)), 12),
    ...{ startsAt: range(instant), endsAt: range(instant), startsLocal: range(wall), endsLocal: range(wall) },
    ...{ when: fc.constantFrom('UPCOMING', 'PAST'), runningAt: instant },
  } satisfies Partial<Draws<EventValues>>
  const { not, any } = fc.letrec<{ filter: EventValues; not: EventValues; any: EventValues[] }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 2 },
      ...Object.entries(criteria).map(([name, values]) => fc.record({ [name]: values as fc.Arbitrary<unknown> })),
      fc.record({ when: criteria.when, categories: criteria.categories, not: tie('not') }, { requiredKeys: ['not'] }),
      fc.record({ any: tie('any') }),
    ),
    not: tie('filter'),
    any: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
  }))
  return { ...dates, ...criteria, status, strict_dates: flag, hideFromListings: flag, not, any }
}

/** The values that only GraphQL has. */
export const onlyGraphql = [
  ...['hideFromListings', 'startsAt', 'endsAt', 'startsLocal', 'endsLocal', 'when', 'runningAt', 'eventStatus'],
  ...['attendanceMode', 'translatedInto', 'missingTranslation', 'allDay', 'price', 'cities', 'placeName', 'modifiedAt'],
  ...['authors', 'not', 'any'],
] as const satisfies readonly (keyof EventValues)[]

const price = fc.record(
  {
    free: flag,
    upTo: fc.constantFrom(0, 4, 4.5, 5, 8, 10, 2000),
    currency: fc.constantFrom('EUR', '€', 'eur', 'USD', '$', 'CHF'),
  },
  { requiredKeys: [] },
)

const cityOf = (venues: World['venues']) =>
  fc
    .tuple(fc.constantFrom(...venues.map(({ contact }) => contact.city ?? '')), fc.nat(2))
    .map(([city, transform]) => [city, fold(city), city.toUpperCase()][transform] as string)

/** A word of a venue, and perhaps another one of the same venue. */
const placeName = (venues: World['venues']) =>
  fc.constantFrom(...venues).chain(({ contact: { city = '', address = '' }, texts }) => {
    const all = [...texts.values()].flatMap(({ name }) => [name, city, address].flatMap((text) => text.split(' ')))
    const own = fc.constantFrom(...all.filter((word) => /^[\p{L}\p{N}]/u.test(word) && !word.includes('"')))
    return fc.array(own, { minLength: 1, maxLength: 2 }).map((some) => some.join(' '))
  })

const modified = ({ events }: World) =>
  fc
    .tuple(fc.constantFrom(...events.map(({ modifiedAt }) => modifiedAt)), step)
    .map(([at, by]) => new Date(at + by).toISOString())

const termItem = (terms: World['tags']) =>
  terms.length === 0 ? fc.constantFrom(noTerm, String(nobody)) : fc.constantFrom(...terms.flatMap(namesOf))

export function linkedDraws(world: World, kind: 'venues' | 'organizers'): Draws<LinkedValues> {
  return {
    ...translations,
    ...{ search: linkedSearch, status, near, located: flag, hasEvents: flag, onlyWithUpcoming: flag },
    event: knownFields(idsOf(world.events), [nobody, world.venues[0]?.id ?? 0]),
    include: several(knownFields(idsOf(world[kind])), 8),
  }
}

export function termDraws(world: World, kind: 'categories' | 'tags'): Draws<TermValues> {
  const terms = world[kind]
  const items = several(fc.oneof({ weight: 15, arbitrary: termItem(terms) }, termItem([])), 6)
  const slugs = terms.flatMap(({ texts }) => [...texts.values()].flatMap(({ slug }) => slug ?? []))
  return {
    ...translations,
    search: fc.oneof(piece, pair, fc.constantFrom('c-1', 'T-', 'en', '-fr')),
    ...{ include: items, exclude: items, hideEmpty: flag },
    slug: fc.constantFrom(...slugs, noTerm),
    event: knownFields(idsOf(world.events), [nobody, world.venues[0]?.id ?? 0]),
    parent: knownFields([0, 0, ...idsOf(terms)]),
  }
}
