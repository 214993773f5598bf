// Search ignores withheld text: no result, total or order reveals anything of it (contract c.15).
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyRows } from '../../bench/copy-rows.ts'
import { type ApiClient, compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'
import { capital } from '../helpers/write.ts'

const ns = '/cal/events/v1'
const words = ['alpha', 'beta', 'gamma', 'delta'] as const
const kinds = ['event', 'venue', 'organizer'] as const
type Kind = (typeof kinds)[number]

const contact: Readonly<Record<Kind, readonly string[]>> = {
  event: [],
  venue: ['address', 'city', 'phone'],
  organizer: ['phone', 'email'],
}

let app: TestApp
/** Visitors in each language, users in one. */
let readers: readonly [client: ApiClient, root: keyof typeof directions][]
let editor: ApiClient
const locked = { event: [0], venue: [0], organizer: [0] }

beforeAll(async () => {
  app = await openTestApp({ ...compared, PER_PAGE_DEFAULT: '50', QUERY_COST_MAX: '20000' })
  editor = await app.signIn('editor')
  readers = [
    [app, ''],
    [app, '/fr'],
    [await app.signIn('contributor'), '/fr'],
    [editor, ''],
  ]
  const make = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }
  for (const kind of kinds) {
    const one = (name: string, columns: object, description = '') =>
      make[kind](app.db, { en: { name, description }, fr: { name: `${name} delta` } }, columns)
    // Unlocked events in between reveal the order of the locked ones.
    await one('Beta', {}, 'alpha alpha')
    await one('Alpha', {}, 'gamma')
    locked[kind] = [await one('Locked alpha beta', { passwordKey: 'x' }), await one('Locked', { passwordKey: 'x' })]
    await one('Alpha alpha gamma', {}, 'beta')
  }
})
afterAll(() => app?.close())

const word = fc.constantFrom(...words, 'locked', 'lpha')
const part = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: word.map((text) => `-${text}`) },
  fc.tuple(word, word).map((pair) => `"${pair.join(' ')}"`),
)
const searches = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))
const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((all) => all.join(' '))

const orders: Readonly<Record<Kind, readonly string[]>> = {
  event: ['START', 'TITLE', 'RELEVANCE'],
  venue: ['PUBLICATION', 'NAME', 'RELEVANCE'],
  organizer: ['PUBLICATION', 'NAME', 'RELEVANCE'],
}

const directions = { '': 'ASC', '/fr': 'DESC' } as const

/** All search results of a reader in both APIs, in each order. */
async function results(kind: Kind, search: string, [client, root]: (typeof readers)[number]): Promise<unknown[]> {
  const lists = orders[kind].map(
    (field) =>
      `${field}: ${kind}sPage(filter: { search: $search }, orderBy: { field: ${field}, direction: ${directions[root]} }) { ...List }`,
  )
  const query = `query($search: String) { ${lists.join('\n')} }
    fragment List on ${capital(kind)}Page { total items { databaseId locked } }`
  const { body } = await client.get(`${root}${ns}/${kind}s?search=${encodeURIComponent(search)}`)
  const found = await client.graphql(query, { search }, root)
  expect(found.body.errors).toBeUndefined()
  return [body.total, body[`${kind}s`].map(({ id }: { id: number }) => id), found.body.data]
}

/** Updates a record as an editor. */
async function withhold(kind: Kind, id: number, values: readonly string[]): Promise<void> {
  const [description = '', excerpt = '', ...others] = values
  const details = Object.fromEntries(contact[kind].map((name, at) => [name, others[at] ?? '']))
  const { body } = await editor.graphql(
    `mutation($input: Update${capital(kind)}Input!) { done: update${capital(kind)}(input: $input) { userErrors { message } } }`,
    { input: { id, description, excerpt, ...details, ...(kind === 'organizer' && { anyEmail: true }) } },
  )
  expect(body).toEqual({ data: { done: { userErrors: [] } } })
}

describe.each(kinds)('of a locked %s', (kind) => {
  it('no search result depends on withheld text', async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.array(text, { minLength: 5, maxLength: 5 }), async (search, values) => {
        for (const id of locked[kind]) await withhold(kind, id, [])
        const before = await Promise.all(readers.map((reader) => results(kind, search, reader)))
        for (const id of locked[kind]) await withhold(kind, id, values)
        expect(await Promise.all(readers.map((reader) => results(kind, search, reader)))).toEqual(before)
      }),
      { numRuns: runs(4) },
    )
  })

  it('a locked record is found by its name, and ranked only by the words of its name', async () => {
    const make = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }
    const twins = [
      await make[kind](app.db, 'Twin', { passwordKey: 'x' }),
      await make[kind](app.db, 'Twin', { passwordKey: 'x' }),
    ]
    const query = `{ list: ${kind}sPage(filter: { search: "twin" }, orderBy: { field: RELEVANCE }) { total items { databaseId } } }`
    const send = async () => (await app.graphql(query)).body.data.list
    const before = await send()
    expect([before.total, before.items.length]).toEqual([2, 2])
    for (const twin of twins) {
      for (const id of twins) await withhold(kind, id, id === twin ? ['twin and twin', 'twin'] : [])
      expect(await send()).toEqual(before)
    }
  })

  it('readers who may see all fields find the record by all of them', async () => {
    const [id = 0] = locked[kind]
    await withhold(kind, id, ['omega'])
    const list = `list: ${kind}sPage(filter: { search: "omega" }) { items { databaseId } }`
    const send = async (directive: string, reader: ApiClient) => {
      const { body } = await reader.graphql(`query ${directive} { ${list} }`)
      return body.data.list.items.map(({ databaseId }: { databaseId: number }) => databaseId)
    }
    expect(await send('@inContext(forEditing: true)', editor)).toEqual([id])
    expect(await send('@inContext(forEditing: true)', app)).toEqual([])
    expect(await send('@inContext(language: EN)', editor)).toEqual([])
  })

  it('a cached search no longer matches the text of a record that was locked meanwhile', async () => {
    const make = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }
    const id = await make[kind](app.db, { en: { name: 'Open', description: 'sigma' } })
    const send = async () => (await app.get(`${ns}/${kind}s?search=sigma`)).body.total
    expect([await send(), await send()]).toEqual([1, 1])
    const lock = (password: string | null) =>
      editor.graphql(
        `mutation($input: Update${capital(kind)}Input!) { update${capital(kind)}(input: $input) { userErrors { message } } }`,
        { input: { id, password } },
      )
    await lock('secret')
    expect([await send(), await send()]).toEqual([0, 0])
    await lock(null)
    expect(await send()).toBe(1)
  })

  it('a title without searchable characters does not expose the next line', async () => {
    const make = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }
    await make[kind](
      app.db,
      { en: { name: '\u0301', slug: `mark-${kind}`, description: 'kappa' } },
      { passwordKey: 'x' },
    )
    const { body } = await app.get(`${ns}/${kind}s?search=kappa`)
    expect(body.total).toBe(0)
  })
})

it('a locked event without author is found by a search with an excluded word', async () => {
  const author = await app.signIn('author')
  const query = 'query @inContext(forEditing: true) { events(filter: { search: "locked -nothing" }) { totalCount } }'
  expect((await author.graphql(query)).body.data.events.totalCount).toBe(2)
})

it('an excluded word in the description of a locked event does not hide the event', async () => {
  await makeEvent(app.db, { en: { name: 'Cello sealed', description: 'marimba' } }, { passwordKey: 'x' })
  await makeEvent(app.db, { en: { name: 'Cello', description: 'marimba' } })
  const found = async (search: string) =>
    (await app.get(`${ns}/events?search=${encodeURIComponent(search)}`)).body.total
  expect([await found('cello'), await found('cello -marimba'), await found('cello -sealed')]).toEqual([2, 1, 1])
})

it('finds a locked event by its title among many others with the word, and not by its description', async () => {
  const original = await makeEvent(app.db, { en: { name: 'Zeppelin', description: 'ballooning' } })
  const copyOf = (column: string) => ({ [column]: `t.${column} + k * 1000` })
  await copyRows(app.db, 'event', 204, copyOf('id'), `t.id = ${original}`)
  const text = { ...copyOf('content_id'), slug: "t.slug || '-' || k" }
  await copyRows(app.db, 'content_text', 204, text, `t.content_id = ${original}`)
  const id = await makeEvent(
    app.db,
    { en: { name: 'Zeppelin sealed', description: 'ballooning' } },
    { passwordKey: 'x' },
  )
  const found = async (search: string) => {
    const { body } = await app.get(`${ns}/events?search=${encodeURIComponent(search)}&per_page=1&page=1`)
    return body.total
  }
  const isFound = async (search: string) => {
    const filter = `{ include: ["${id}"], search: "${search}" }`
    return (await app.graphql(`{ eventsPage(filter: ${filter}) { total } }`)).body.data.eventsPage.total
  }
  expect([await found('zeppelin'), await found('ballooning')]).toEqual([206, 205])
  expect([await isFound('zeppelin'), await isFound('ballooning')]).toEqual([1, 0])
})
