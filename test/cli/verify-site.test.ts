// The comparison of verify-site, between two instances of this service, one of which plays the legacy site.
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { httpMethods } from '../../src/apis/rest/route.ts'
import { createRestRoutes } from '../../src/apis/rest/routes.ts'
import { createSiteClient } from '../../src/tools/import-site/site-client.ts'
import { documentedDeviations, type VerifyReport } from '../../src/tools/verify-site/report.ts'
import { createSendRequest } from '../../src/tools/verify-site/send.ts'
import { verifySite } from '../../src/tools/verify-site/verify-site.ts'
import { compared, now, openTestApp, type TestApp } from '../helpers/app.ts'
import { newRecord } from '../helpers/rest.ts'
import { openRealApp, type SampleApp } from '../helpers/sample.ts'
import {
  type Change,
  legacyEnv,
  listen,
  type Proxied,
  type ProxiedRecord,
  type Site,
  serveBeside,
} from '../helpers/sites.ts'

let ours: SampleApp
let legacy: TestApp
let legacySite: Site
let ourSite: Site

beforeAll(async () => {
  ours = await openRealApp(compared, 6)
  legacy = await serveBeside(ours, { ...legacyEnv, ...compared })
  ;[legacySite, ourSite] = [await listen(legacy.app), await listen(ours.app)]
})
afterEach(() => {
  legacySite.change(undefined)
  ourSite.change(undefined)
})
afterAll(async () => {
  await Promise.all([legacySite?.close(), ourSite?.close()])
  await legacy?.close()
  await ours?.close()
})

const send = createSendRequest(createSiteClient({ concurrency: 8, attempts: 1 }))
const restRoot = '/wp-json/tribe/events/v1'

const verify = (sample: number, options: Partial<Parameters<typeof verifySite>[0]> = {}) =>
  verifySite({
    legacy: { root: `${legacySite.url}${restRoot}`, send, languages: {} },
    ours: { root: `${ourSite.url}/cal/events/v1`, send, languages: {} },
    sample,
    concurrency: 2,
    ignore: [],
    hasCredentials: false,
    onProgress: () => {},
    ...options,
  })

/** A large sample, which several tests look at. */
interface LargeRun {
  readonly report: VerifyReport
  readonly requests: readonly string[]
  readonly legacyRequests: readonly string[]
}
let largeRun: Promise<LargeRun> | undefined
const verifyMuch = () => {
  largeRun ??= (async () => {
    for (const { requests } of [ourSite, legacySite]) requests.length = 0
    const report = await verify(240)
    return { report, requests: [...ourSite.requests], legacyRequests: [...legacySite.requests] }
  })()
  return largeRun
}

test('sites with the same content have no unexplained difference', async () => {
  const { report, legacyRequests } = await verifyMuch()
  expect(report.unexplained).toEqual([])
  expect(report).toMatchObject({ requests: 240, equal: 240, ids: 'kept' })
  const rules = report.explained.map(({ rule }) => rule)
  expect(rules.sort()).toEqual(['a.2', 'c.13', 'c.5'])
  expect(legacyRequests.every((path) => path.startsWith(restRoot))).toBe(true)
})

test('the requests of a run are those of every other run', async () => {
  const runs = [0, 1].map(async () => {
    const site = await listen(ours.app)
    const root = `${site.url}/cal/events/v1`
    await verify(60, { ours: { root, send, languages: {} } })
    await site.close()
    return site.requests.sort()
  })
  const [first, second] = await Promise.all(runs)
  expect(first).toHaveLength(60)
  expect(second).toEqual(first)
})

test('every route and parameter that reads is part of a large sample', async () => {
  const requests = (await verifyMuch()).requests.map((path) => new URL(path, ourSite.url))
  const paths = requests.map(({ pathname }) => pathname.replace('/cal/events/v1', ''))
  for (const { path, params, action, resource } of createRestRoutes({ languages: ['en'], legacyAddresses: false })) {
    if (!httpMethods[action].some((method) => method === 'GET')) continue
    const pattern = new RegExp(`^${path.replace('{id}', '\\d+').replace('{slug}', '[^/]+')}$`)
    expect([path, paths.some((asked) => pattern.test(asked))]).toEqual([path, true])
    if (resource === undefined || path.includes('{')) continue
    const names = requests.flatMap(({ searchParams }, index) => (paths[index] === path ? [...searchParams.keys()] : []))
    const asked = new Set(names.map((name) => name.replace('[]', '')))
    // Legacy sites have a root for each language instead, no changes, and no series.
    const { translation_language: _, sync_token: __, series: ___, hide_subsequent_recurrences: ____, ...own } = params
    expect([path, Object.keys(own).filter((name) => !asked.has(name))]).toEqual([path, []])
  }
})

test('each rule of a deviation is in the documentation of the contract', () => {
  const contract = readFileSync('docs/legacy-contract.md', 'utf8')
  for (const { rule } of documentedDeviations) {
    const heading = rule.startsWith('QUIRK') ? `>${rule} |` : `### ${rule} `
    expect([rule, contract.includes(heading)]).toEqual([rule, true])
  }
})

type Edit = (event: ProxiedRecord) => void

/** Changes the events of lists. */
const inLists =
  (edit: Edit): Change =>
  ({ body }) => {
    for (const event of body.events ?? []) edit(event)
  }

/** Changes the fields of events in lists. Each change differs from the others by its field. */
const changedFields: Readonly<Record<string, Edit>> = {
  'event.title value': (event) => Object.assign(event, { title: `${event.title}.` }),
  'event.timezone missing': (event) => Reflect.deleteProperty(event, 'timezone'),
  'event.id type': (event) => Object.assign(event, { id: String(event.id) }),
  'event.author type': (event) => Object.assign(event, { author: Number(event.author) }),
  'event.utc_start_date value': (event) => Object.assign(event, { utc_start_date: '2026-01-01 00:00:00' }),
  'event.venue.fax added': ({ venue }) => Object.assign(venue, { fax: '1' }),
  'event.organizer items': (event) => Object.assign(event, { organizer: [] }),
  'event.image type': (event) => Object.assign(event, { image: false }),
  'event.description value': (event) => Object.assign(event, { description: event.description.slice(0, -20) }),
  'event.cost value': (event) => Object.assign(event, { cost: '$7' }),
  'event.rest_url value': (event) => Object.assign(event, { rest_url: `http://other.test/events/${event.id}` }),
  'event.categories.slug value': ({ categories }) => {
    for (const category of categories) category.slug += '-x'
  },
}

/** Changes of whole responses. */
const changedResponses: Readonly<Record<string, Change>> = {
  'list.total type': ({ body }) => body.events && Object.assign(body, { total: String(body.total) }),
  'list.next_rest_url added': ({ body }) =>
    body.events && !('next_rest_url' in body) && Object.assign(body, { next_rest_url: null }),
  'header.total value': ({ headers }) => headers['x-cal-total'] && Object.assign(headers, { 'x-cal-total': '7' }),
  'header.totalpages missing': ({ headers }) => Reflect.deleteProperty(headers, 'x-cal-totalpages'),
  'header.content-type value': ({ headers }) => Object.assign(headers, { 'content-type': 'application/json' }),
  'error.code value': ({ status, body }) => status === 404 && Object.assign(body, { code: 'gone' }),
  'error.data.params missing': ({ body }) => body.data && Reflect.deleteProperty(body.data, 'params'),
  'status value': (response, path) => path.includes('/venues?') && Object.assign(response, { status: 500 }),
}

const all =
  (changes: Readonly<Record<string, Change>>): Change =>
  (response, path) => {
    for (const change of Object.values(changes)) change(response, path)
  }

const fields = (edits: Readonly<Record<string, Edit>>): Change =>
  inLists((event) => {
    for (const edit of Object.values(edits)) edit(event)
  })

test.each([
  ['fields of events', fields(changedFields), Object.keys(changedFields)],
  ['responses', all(changedResponses), Object.keys(changedResponses)],
  ['the order of a list', ({ body }: Proxied) => body.events?.reverse(), ['list order']],
  ['the records of a list', ({ body }: Proxied) => body.events?.pop(), ['list items']],
  [
    'a null',
    ({ body }: Proxied, path: string) => path.includes('page=') && body.events && Object.assign(body, { events: null }),
    ['list type'],
  ],
] as const)('each manipulation of %s is found and named', async (_, change, expected) => {
  ourSite.change(change)
  const { unexplained, equal } = await verify(60)
  expect(unexplained.map(({ field, what }) => `${field} ${what}`).sort()).toEqual([...expected].sort())
  for (const { count, example } of unexplained) {
    expect(count).toBeGreaterThan(0)
    expect(example.request).toMatch(/^\//)
    expect(example.legacy).not.toEqual(example.ours)
  }
  expect(equal).toBeLessThan(60)
})

test('a field that is ignored is only counted', async () => {
  ourSite.change(fields({ title: (event) => Object.assign(event, { title: '' }) }))
  const report = await verify(60, { ignore: ['title'] })
  expect(report.unexplained).toEqual([])
  expect(report.ignored).toBeGreaterThan(10)
})

test('authors that all have other IDs are explained, one of several is not', async () => {
  const rename: Edit = (event) => Object.assign(event, { author: `1${event.author}` })
  ourSite.change(inLists(rename))
  const report = await verify(60)
  expect(report.unexplained).toEqual([])
  expect(report.explained.map((group) => group.fields)).toContainEqual(['event.author'])
  ourSite.change(({ body }) => body.events?.slice(1, 2).forEach(rename))
  expect((await verify(60)).unexplained).toMatchObject([{ field: 'event.author', what: 'id' }])
})

/** Changes events in lists and single ones. */
const inEvents =
  (edit: Edit): Change =>
  ({ body }) => {
    for (const event of [...(body.events ?? []), ...(body.title ? [body as ProxiedRecord] : [])]) edit(event)
  }

const entities = (text: string) =>
  text.replaceAll("'", '&#8217;').replaceAll('-', '&#8211;').replaceAll('&amp;', '&#038;')

/** What legacy sites respond, by the rule that explains it. */
const oddities: Readonly<Record<string, Change>> = {
  'c.1': inEvents((event) => {
    event.title = entities(event.title)
    event.description = `<section class="x">${entities(event.description)}</section><script>1</script>`
  }),
  'c.5': inEvents(({ categories, tags }) => {
    for (const term of [...categories, ...tags])
      Object.assign(term, { term_group: 0, term_taxonomy_id: 7, filter: 'raw' })
    for (const tag of tags) tag.count += 5
  }),
  'b.3': inEvents(({ venue }) => {
    if ('website' in venue) venue.website = String(venue.website).replace(/^https?:\/\//, '')
  }),
  'c.8': inEvents(({ cost_details }) => Object.assign(cost_details ?? {}, { currency_code: 'EUR' })),
  'QUIRK-22': inEvents(({ categories }) => {
    for (const term of categories) term._links = { self: [] }
  }),
  'c.2': inEvents((event) => {
    Object.assign(event, { is_virtual: false, virtual_url: null, site_places: ['1|2'] })
    delete event.custom_fields
    event.url = String(event.url).replace('/event/', '/evento/')
  }),
  'c.9': inLists((event) => Object.assign(event, { json_ld: { '@type': 'Event' } })),
  'c.6': inEvents(({ id, image }) => image && Object.assign(image, { url: `https://legacy.test/uploads/${id}.jpg` })),
  'QUIRK-45': inEvents(({ venue }) => Object.assign(venue, { date_utc: '0000-00-00 00:00:00' })),
  'QUIRK-27': ({ body }) => body.events && Object.assign(body, { rest_url: decodeURIComponent(String(body.rest_url)) }),
  'd.1': ({ status, body }) => status === 404 && Object.assign(body, { message: 'Not here.' }),
  'a.1': (response, path) =>
    path.includes('/venues/by-slug/') && Object.assign(response, { status: 404, body: { code: 'rest_no_route' } }),
  'c.14': ({ body }, path) => path.includes('ticketed') && Object.assign(body, { total: 1000, total_pages: 100 }),
  'QUIRK-32': (response, path) =>
    path.includes('parent=0') && Object.assign(response, { status: 400, body: { code: 'rest_invalid_param' } }),
}

test('the oddities of a legacy site are explained by their rules', async () => {
  legacySite.change(all(oddities))
  const report = await verify(140)
  expect(report.unexplained).toEqual([])
  expect(report.explained.map(({ rule }) => rule)).toEqual(expect.arrayContaining(Object.keys(oddities)))
})

test('records with other IDs are compared by their slugs', async () => {
  const other = await openTestApp(compared)
  const site = await listen(other.app)
  const original = await openTestApp({ ...legacyEnv, ...compared })
  const originalSite = await listen(original.app)
  const event = (name: string) => ({
    ...newRecord('events', name),
    start_date: `2026-12-${10 + name.length} 19:00:00`,
    end_date: `2026-12-${10 + name.length} 21:00:00`,
    venue: [{ venue: `Hall of ${name}` }],
    organizer: [{ organizer: `Friends of ${name}` }],
    categories: [`Kind of ${name}`],
    tags: [name],
  })
  const create = async (app: TestApp, path: string, names: readonly string[]) => {
    const { send } = await app.signIn('editor')
    for (const name of names) {
      app.clock.now = new Date(now.getTime() + name.length * 60_000)
      await send('POST', `${path}/events`, event(name))
    }
    app.clock.now = new Date(now.getTime() + 3_600_000)
  }
  const names = ['Sixth', 'A fourth', 'First of all', 'This is the second']
  await create(original, restRoot, names)
  await create(other, '/cal/events/v1', names.toReversed())
  const options = {
    legacy: { root: `${originalSite.url}${restRoot}`, send, languages: {} },
    ours: { root: `${site.url}/cal/events/v1`, send, languages: {} },
  }
  const report = await verify(40, options)
  expect(report).toMatchObject({ ids: 'by slug', unexplained: [] })

  site.change(({ body }) => body.events && Object.assign(body.events[0] ?? {}, { venue: body.events[1]?.venue }))
  const changed = await verify(20, options)
  expect(changed.unexplained.map(({ field }) => field)).toContain('event.venue.slug')
  await Promise.all([site.close(), originalSite.close(), other.close(), original.close()])
})

test('roots of other languages are compared with those of this service', async () => {
  const languages = (url: string, path: string) => ({ fr: `${url}/fr${path}`, es: `${url}/es${path}` })
  const options = {
    legacy: {
      root: `${legacySite.url}${restRoot}`,
      send,
      languages: languages(legacySite.url, restRoot),
    },
    ours: {
      root: `${ourSite.url}/cal/events/v1`,
      send,
      languages: languages(ourSite.url, '/cal/events/v1'),
    },
  }
  const report = await verify(50, options)
  expect(report.unexplained).toEqual([])
  ourSite.change(
    ({ body }, path) => path.startsWith('/fr/') && body.events && Object.assign(body.events[0] ?? {}, { title: '' }),
  )
  const [group] = (await verify(50, options)).unexplained
  expect(group).toMatchObject({ field: 'event.title', example: { request: expect.stringMatching(/^fr: /) } })
})

test('with credentials of both sites, drafts are compared', async () => {
  const { authorization } = ours
  const [user = '', password = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
  await ours.administrator.send('POST', '/cal/events/v1/events', { ...newRecord('events', 'Secret'), status: 'draft' })
  const send = createSendRequest(createSiteClient({ credentials: { user, password } }))
  const options = {
    legacy: { root: `${legacySite.url}${restRoot}`, send, languages: {} },
    ours: { root: `${ourSite.url}/cal/events/v1`, send, languages: {} },
    hasCredentials: true,
  }
  expect((await verify(20, options)).unexplained).toEqual([])
  ourSite.change(inLists((event) => event.status === 'draft' && Object.assign(event, { title: 'Open' })))
  expect((await verify(20, options)).unexplained).toMatchObject([{ field: 'event.title' }])
})

test('a site that does not respond, or has no events, is an error that names it', async () => {
  const legacyAt = (root: string) => ({ legacy: { root, send, languages: {} } })
  const closed = await listen(legacy.app)
  await closed.close()
  await expect(verify(60, legacyAt(`${closed.url}${restRoot}`))).rejects.toThrow(
    new RegExp(`^${closed.url}/.*ECONNREFUSED`),
  )
  await expect(verify(60, legacyAt(`${legacySite.url}/wp-json`))).rejects.toThrow(
    /\/wp-json\/events returns no list of events/,
  )
})
