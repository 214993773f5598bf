// Generates the data: few words, places and times, so that there are ties, overlaps and boundary cases.
import fc from 'fast-check'
import { now } from './app.ts'
import {
  type Cost,
  day,
  type EventFacts,
  type Language,
  type LinkedFacts,
  languages,
  type OwnText,
  type PostFacts,
  type TermFacts,
  type World,
} from './oracle-facts.ts'
import { wallText } from './oracle-time.ts'

export const words = [
  ...['Fête', 'été', 'Ñandú', 'naïve', 'concert', 'Jazz', 'jazz', 'night', 'Éclair', 'Straße', 'Œuvre', 'co-op'],
  ...['音楽', 'ガーデン', 'حفلة', 'موسيقى', '100%', 'snake_case', "l'eau", '"Duo"', 'O’Neill', 'Q&A', 'a\\b', 'Zoë'],
]

export const cities = [
  ...[
    { latitude: 48.8566, longitude: 2.3522 },
    { latitude: 45.764, longitude: 4.8357 },
  ],
  ...[
    { latitude: 45.7772, longitude: 4.855 },
    { latitude: 40.7128, longitude: -74.006 },
  ],
  ...[
    { latitude: -31.5553, longitude: 159.0821 },
    { latitude: -16.8, longitude: 179.98 },
  ],
]

const text = (most: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most }).map((some) => some.join(' '))

const escapeAmpersands = (plain: string) => plain.replaceAll('&', '&amp;')
const html = text(4).map((plain) => `<p>${escapeAmpersands(plain)}</p>`)

const writtenIn: fc.Arbitrary<readonly Language[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['en'] as const) },
  { weight: 5, arbitrary: fc.shuffledSubarray([...languages], { minLength: 1 }) },
)

function inLanguages(own: fc.Arbitrary<OwnText>) {
  return writtenIn.chain((some) =>
    fc.tuple(...some.map((language) => own.map((words) => [language, words] as const))).map((texts) => new Map(texts)),
  )
}

const postTexts = inLanguages(
  fc.record({ name: text(2), description: html, excerpt: html }, { requiredKeys: ['name'] }),
)

const ago = fc.constantFrom(1, 1, 2, 30, 30, 400).map((days) => now.getTime() - days * day)
/** Years ahead: the counts of terms compare with the clock of the database, which is later than that of the tests. */
const ahead = fc.constant(now.getTime() + 3650 * day)

type State = Pick<PostFacts, 'status' | 'trashedFrom' | 'publishedAt'>

const state: fc.Arbitrary<State> = fc.oneof(
  { weight: 14, arbitrary: fc.record({ status: fc.constant('publish' as const), publishedAt: ago }) },
  { weight: 2, arbitrary: fc.record({ status: fc.constant('future' as const), publishedAt: ago }) },
  { weight: 2, arbitrary: fc.record({ status: fc.constantFrom('future', 'publish'), publishedAt: ahead }) },
  { weight: 5, arbitrary: fc.record({ status: fc.constantFrom('draft', 'pending', 'private'), publishedAt: ago }) },
  {
    weight: 2,
    arbitrary: fc.record({
      status: fc.constant('trash' as const),
      trashedFrom: fc.constantFrom('publish', 'draft', 'private'),
      publishedAt: ago,
    }),
  },
)

const rarely = (one: number) => fc.integer({ min: 1, max: one }).map((number) => number === 1)

const post = fc.record({
  id: fc.constant(0),
  texts: postTexts,
  state,
  author: fc.constantFrom(undefined, 'subscriber', 'contributor', 'author', 'author', 'editor'),
  locked: rarely(6),
})

const contact = (fields: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc.record(Object.fromEntries(fields.map((field) => [field, fc.oneof(fc.constant(''), text(2))])))

const venueFields = ['address', 'city', 'country', 'province', 'state', 'stateProvince', 'zip', 'phone', 'website']
const organizerFields = ['phone', 'email', 'website']

const venue: fc.Arbitrary<LinkedFacts> = fc
  .record({ post, place: fc.constantFrom(undefined, ...cities, ...cities), contact: contact(venueFields) })
  .map(({ post: { state, ...post }, ...own }) => ({ kind: 'venue', ...post, ...state, ...own }))

const organizer: fc.Arbitrary<LinkedFacts> = fc
  .record({ post, contact: contact(organizerFields) })
  .map(({ post: { state, ...post }, ...own }) => ({ kind: 'organizer', place: undefined, ...post, ...state, ...own }))

const termTexts = inLanguages(fc.record({ name: text(2), description: text(3) }, { requiredKeys: ['name'] }))

/** Slugs differ from those derived from names; records of a kind may have the same name. */
const terms = (prefix: string, count: number, nested: boolean): fc.Arbitrary<TermFacts[]> =>
  fc.array(fc.tuple(termTexts, fc.nat(), rarely(3)), { minLength: count, maxLength: count }).map((drawn) => {
    const created: TermFacts[] = []
    for (const [index, [own, above, top]] of drawn.entries()) {
      const slugged = [...own].map(([language, words]) => [
        language,
        { ...words, slug: `${prefix}-${(index * 7) % count}-${language}` },
      ])
      const parent = nested && !top && index > 0 ? created[above % index] : undefined
      created.push({ id: 0, texts: new Map(slugged as [Language, OwnText][]), parent })
    }
    return created
  })

const startDays = [-60, -3, -2, -1, -1, 0, 0, 0, 1, 1, 2, 3, 30, 200, 728, 729, 730, 731, 800]
const times = ['00:00:00', '00:00:00', '03:30:00', '11:00:00', '12:00:00', '17:30:00', '22:00:00', '23:59:59']
const hours = [0, 1, 1, 2, 3, 26, 240]
const zones = [
  ...['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Kiritimati'],
  'UTC+5:30',
]

const schedule = fc
  .tuple(fc.constantFrom(...startDays), fc.constantFrom(...times), fc.constantFrom(...hours))
  .map(([days, time, length]) => {
    const start = `${wallText(now.getTime() + days * day).slice(0, 10)}T${time}`
    return { start, end: wallText(Date.parse(`${start}Z`) + (length * day) / 24) }
  })

/** The default currency of the site is the dollar. */
const costs: readonly Cost[] = [
  ...[{ entries: [] }, { entries: ['Donation'] }, { entries: ['Free'], range: [0, 0] as const }],
  { entries: ['0 €'], range: [0, 0], currency: 'EUR' },
  { entries: ['€4.50'], range: [4.5, 4.5], currency: 'EUR' },
  { entries: ['10 €', '1,200 €'], range: [10, 1200], currency: 'EUR' },
  { entries: ['$8'], range: [8, 8], currency: 'USD' },
  { entries: ['Gratuit', '6'], range: [0, 6], currency: 'USD' },
]

const some = <T>(of: readonly T[], most: number) => fc.subarray([...of], { maxLength: most })

function event(linked: Omit<World, 'events'>) {
  return fc.record({
    post,
    schedule,
    zone: fc.constantFrom(...zones),
    hidden: rarely(7),
    featured: rarely(3),
    ticketed: rarely(3),
    allDay: rarely(3),
    cost: fc.constantFrom(...costs),
    modifiedAt: ago,
    eventStatus: fc.constantFrom('scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online'),
    attendanceMode: fc.constantFrom('offline', 'online', 'mixed'),
    parent: fc.option(fc.nat(), { nil: undefined, freq: 2 }),
    venues: some(linked.venues, 2),
    organizers: some(linked.organizers, 2),
    categories: some(linked.categories, 2),
    tags: some(linked.tags, 2),
  })
}

const world: fc.Arbitrary<World> = fc
  .record({
    venues: fc.array(venue, { minLength: 14, maxLength: 14 }),
    organizers: fc.array(organizer, { minLength: 10, maxLength: 10 }),
    categories: terms('c', 12, true),
    tags: terms('t', 10, false),
  })
  .chain((linked) =>
    // The last category and tag have no events.
    fc
      .array(event({ ...linked, categories: linked.categories.slice(0, -2), tags: linked.tags.slice(0, -2) }), {
        minLength: 60,
        maxLength: 60,
      })
      .map((drawn) => {
        const events: EventFacts[] = []
        for (const { post, schedule, parent, ...own } of drawn) {
          const { state, ...others } = post
          const above = parent === undefined ? undefined : events[parent % 6]
          events.push({ ...others, ...state, ...schedule, ...own, parent: above })
        }
        return { ...linked, events }
      }),
  )

/** Seed of the data and the queries. Fixed, so that failures are reproducible; ORACLE_SEED changes it. */
export const seed = Number(process.env.ORACLE_SEED ?? 20261121)

export function drawWorld(): World {
  const [drawn] = fc.sample(world, { numRuns: 1, seed })
  if (!drawn) throw new Error('No world')
  return drawn
}
