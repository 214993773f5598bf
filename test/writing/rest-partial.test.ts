// An update changes only the fields that are sent (contract c.12, QUIRK-25).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeImage } from '../helpers/make.ts'
import { encodingsOf, type Kind, ns, numbered } from '../helpers/rest.ts'

type Body = Readonly<Record<string, unknown>>

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const records = {} as Record<Kind, Body & { id: number }>

beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'America/New_York' })
  admin = await app.signIn('administrator')
  const author = await app.signIn('author')
  const image = await makeImage(app.db)
  const make = async (kind: Kind, fields: object) => {
    const { status, body } = await admin.send('POST', `${ns}/${kind}`, fields)
    expect(status, JSON.stringify(body)).toBe(201)
    records[kind] = body
  }
  const shared = { author: author.id, date: '2026-01-02 03:04:05', description: 'Words', status: 'draft', image }
  const website = 'https://own.test/'
  const place = { address: '1 Rue', city: 'Lyon', country: 'France', province: 'Rhône', zip: '69001', phone: '1' }
  await make('venues', {
    ...shared,
    ...place,
    venue: 'Hall',
    state: 'X',
    stateprovince: 'Own',
    website,
    show_map: '0',
    show_map_link: '0',
  })
  await make('organizers', { ...shared, organizer: 'Club', phone: '1', website, email: 'a@b.test' })
  await make('categories', { name: 'Arts', description: 'All arts', slug: 'all-arts' })
  await make('categories', { name: 'Music', description: 'Notes', slug: 'notes', parent: records.categories.id })
  await make('tags', { name: 'free', description: 'No price', slug: 'no-price' })
  const flags = {
    all_day: false,
    show_map: true,
    show_map_link: true,
    hide_from_listings: true,
    sticky: true,
    featured: true,
  }
  const links = {
    categories: ['Theatre', 'Dance'],
    tags: ['closed', 'open'],
    venue: { venue: 'Linked' },
    organizer: [{ organizer: 'Linked' }, { organizer: 'Linked too' }],
  }
  const times = { start_date: '2026-12-01 19:00', end_date: '2026-12-02 01:00', timezone: 'Europe/Paris' }
  const more = { title: 'Choir', slug: 'own-slug', excerpt: 'Short', cost: ['$5', '$10'], website }
  await make('events', { ...shared, ...flags, ...links, ...times, ...more })
})
afterAll(() => app.close())

/** Fields of the response that an update of one field changes, besides `modified`. */
const changes: readonly [Kind, object, Body][] = [
  ['events', {}, {}],
  ['events', { title: 'New' }, { title: 'New' }],
  ['events', { description: 'New' }, { description: '<p>New</p>' }],
  ['events', { excerpt: 'New' }, { excerpt: '<p>New</p>' }],
  ['events', { slug: 'new' }, { slug: 'new', url: expect.stringContaining('/event/new/') }],
  ['events', { cost: 'Free' }, { cost: 'Free', cost_details: expect.objectContaining({ values: ['free'] }) }],
  ['events', { website: '' }, { website: '' }],
  ['events', { show_map: false }, { show_map: false }],
  ['events', { show_map_link: false }, { show_map_link: false }],
  ['events', { hide_from_listings: false }, { hide_from_listings: false }],
  ['events', { sticky: false }, { sticky: false }],
  ['events', { featured: false }, { featured: false }],
  ['events', { categories: ['Dance'] }, { categories: [expect.objectContaining({ name: 'Dance' })] }],
  ['events', { tags: 'open' }, { tags: [expect.objectContaining({ name: 'open' })] }],
  ['events', { venue: '' }, { venue: [] }],
  ['events', { organizer: '' }, { organizer: [] }],
  ['events', { image: '' }, { image: false }],
  ['events', { status: 'pending' }, { status: 'pending' }],
  ['events', { date: '2026-02-03' }, { date: '2026-02-03 00:00:00', date_utc: '2026-02-03 05:00:00' }],
  ['events', { date_utc: '2026-02-03' }, { date: '2026-02-02 19:00:00', date_utc: '2026-02-03 00:00:00' }],
  ['venues', {}, {}],
  ['venues', { venue: 'New' }, { venue: 'New' }],
  ['venues', { description: '' }, { description: undefined }],
  ['venues', { phone: '' }, { phone: undefined }],
  ['venues', { city: 'Paris' }, { city: 'Paris' }],
  ['venues', { country: 'France', province: 'Rhône', state: 'X' }, {}],
  ['venues', { show_map: '1' }, { show_map: true }],
  ['venues', { image: '' }, { image: undefined }],
  ['venues', { status: 'publish' }, { status: 'publish', date: expect.any(String), date_utc: expect.any(String) }],
  ['organizers', {}, {}],
  ['organizers', { organizer: 'New' }, { organizer: 'New' }],
  ['organizers', { phone: '' }, { phone: undefined }],
  ['organizers', { email: 'x' }, { email: 'x' }],
  ['organizers', { website: '' }, { website: undefined }],
  ['categories', {}, {}],
  ['categories', { name: 'New' }, { name: 'New' }],
  ['categories', { description: 'New' }, { description: 'New' }],
  ['categories', { slug: 'new' }, { slug: 'new', url: expect.stringContaining('/all-arts/new/') }],
  ['categories', { parent: 0 }, { parent: 0, url: expect.any(String), urls: expect.any(Object) }],
  ['tags', { name: 'New' }, { name: 'New' }],
  ['tags', { slug: 'new' }, { slug: 'new', url: expect.stringContaining('/new/') }],
]

const methods = ['POST', 'PUT', 'PATCH'] as const
/** Each method in turn; all in `npm run test:full`. */
const methodsOf = (index: number) =>
  methods.filter((_, method) => process.env.PROPERTY_RUNS === 'all' || method === index % 3)

it.each(numbered(changes))('%s: %j', async (kind, sent, changed, index) => {
  const { id, ...before } = records[kind]
  const path = `${ns}/${kind}/${id}`
  const modified = 'modified' in before ? { modified: expect.any(String), modified_utc: expect.any(String) } : {}
  for (const [name, encode] of encodingsOf(index))
    for (const method of methodsOf(index)) {
      const { status, body } = await admin.send(method, path, encode(sent))
      expect(status, name).toBe(200)
      expect(body, `${name} ${method}`).toEqual({ id, ...before, ...modified, ...changed })
    }
  const restored = await admin.send('PUT', path, writable(kind, before))
  expect(restored.body).toEqual({ id, ...before, ...modified })
})

/** The fields of a response as parameters of a write. */
function writable(kind: Kind, { venue, organizer, categories, tags, image, parent, ...body }: Body): object {
  const numbers = (records: unknown) => [records].flat().map((record) => (record as { id: number }).id)
  if (kind !== 'events') {
    return {
      ...body,
      venue,
      organizer,
      ...(parent === undefined ? {} : { parent }),
      image: image ? numbers(image)[0] : undefined,
    }
  }
  const linked = {
    categories: numbers(categories),
    tags: numbers(tags),
    venue: numbers(venue),
    organizer: numbers(organizer),
  }
  const cost = ['$5', '$10']
  return { ...body, ...linked, image: numbers(image)[0], cost }
}

it('modified equals the date of a new record, and changes with every update', async () => {
  const { body } = await admin.send('POST', `${ns}/organizers`, { organizer: 'Just now' })
  expect(body).toMatchObject({ date: '2026-11-21 07:00:00', date_utc: '2026-11-21 12:00:00' })
  expect([body.modified, body.modified_utc]).toEqual([body.date, body.date_utc])
  app.clock.now = new Date('2026-11-21T13:00:00Z')
  const changed = await admin.send('PUT', `${ns}/organizers/${body.id}`, { phone: '1' })
  app.clock.now = now
  const modified = { modified: '2026-11-21 08:00:00', modified_utc: '2026-11-21 13:00:00' }
  expect(changed.body).toEqual({ ...body, phone: '1', ...modified })
})

it('a new event has only the fields of the request', async () => {
  const fields = { title: 'Bare', start_date: '2026-12-01', end_date: '2026-12-01' }
  const { body } = await admin.send('POST', `${ns}/events`, fields)
  const off = {
    all_day: false,
    show_map: false,
    show_map_link: false,
    hide_from_listings: false,
    sticky: false,
    featured: false,
  }
  const empty = {
    image: false,
    cost: '',
    excerpt: '',
    description: '',
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
  }
  expect(body).toMatchObject({
    ...off,
    ...empty,
    website: body.url,
    status: 'publish',
    slug: 'bare',
    custom_fields: [],
  })
  expect(body).toMatchObject({ timezone: 'America/New_York', author: String(admin.id) })
  expect(body).not.toHaveProperty('json_ld')
})
