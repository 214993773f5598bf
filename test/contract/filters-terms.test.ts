// The filters and orders of categories and tags (contract b.5, c.14, QUIRK-27, QUIRK-32, QUIRK-33; specification 4.5, 4.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeTag, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

const ns = '/cal/events/v1'
let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

describe.each([
  ['categories', makeCategory, 'categoryIds'],
  ['tags', makeTag, 'tagIds'],
] as const)('%s', (plural, make, link) => {
  const ids: Record<string, number> = {}
  const numbered = (query: string) => query.replace(/\{(\w+)\}/g, (_, word: string) => String(ids[word]))
  const list = (query: string, root = '') => app.get(`${root}${ns}/${plural}?per_page=50&${numbered(query)}`)

  async function names(query: string, root = ''): Promise<string> {
    const { status, body } = await list(query, root)
    expect([query, status, body.data?.params]).toEqual([query, 200, undefined])
    expect([body.total, body.total_pages]).toEqual([body[plural].length, body[plural].length ? 1 : 0])
    return body[plural].map((term: { name: string }) => term.name).join(' ')
  }

  beforeAll(async () => {
    const { db } = app
    await truncate(db)
    // Every order has a different result; IDs are in the order of this list.
    ids.Gamma = await make(db, { en: { name: 'Gamma', slug: 'a-first', description: 'aaa' } })
    ids.delta = await make(db, { en: { name: 'delta', slug: 'c-third', description: '' }, fr: 'Été 100%' })
    ids.Alpha = await make(db, { en: { name: 'Alpha', slug: 'z-last', description: 'mmm' } })
    ids.beta = await make(db, { en: { name: 'beta', slug: 'm-middle', description: 'zzz' } })
    ids.unused = await make(db, 'unused')
    ids.drafted = await make(db, 'drafted')
    // A term of the other kind, with an ID that this kind does not have.
    ids.foreign = await (plural === 'tags' ? makeCategory : makeTag)(db, { en: { name: 'Foreign', slug: 'foreign' } })
    ids.venue = await makeVenue(db, 'Hall')
    const event = (words: string[], columns = {}) =>
      makeEvent(db, 'Choir', { [link]: words.map((word) => ids[word] as number), ...columns })
    ids.one = await event(['Alpha', 'beta', 'Gamma', 'delta'])
    ids.two = await event(['beta', 'Gamma', 'delta'], { start: '1999-01-01T10:00:00' })
    ids.three = await event(['beta', 'delta'], { hideFromListings: true })
    ids.four = await event(['delta'])
    ids.draft = await event(['drafted', 'Alpha'], { status: 'draft' })
    ids.locked = await event(['unused'], { passwordKey: await hashRecordPassword('open', app.site.passwordSalt) })
    ids.bare = await event([])
  })

  const byName = 'Alpha beta delta Gamma'
  const orders: [string, string][] = [
    ['orderby=name', byName],
    ['orderby=id', 'Gamma delta Alpha beta'],
    ['orderby=slug', 'Gamma delta beta Alpha'],
    ['orderby=description', 'delta Gamma Alpha beta'],
    ['orderby=count', 'Alpha Gamma beta delta'],
    ['orderby=include&include={beta},{Gamma},{Alpha},{delta}', 'beta Gamma Alpha delta'],
    ['orderby=unheard-of', byName],
    ['orderby=password', byName],
  ]

  it.each(orders)('%s', async (query, expected) => {
    const backwards = expected.split(' ').reverse().join(' ')
    expect(await names(query)).toBe(expected)
    expect(await names(`${query}&order=desc`)).toBe(backwards)
  })

  it('everything but asc in any case is the descending order', async () => {
    const query = 'orderby=id'
    for (const order of ['asc', 'ASC', 'Asc'])
      expect(await names(`${query}&order=${order}`)).toBe('Gamma delta Alpha beta')
    for (const order of ['DESC', 'down', '1'])
      expect(await names(`${query}&order=${order}`)).toBe('beta Alpha delta Gamma')
  })

  it.each(['orderby=term_group', 'orderby=parent'])('%s orders equal terms by name', async (query) => {
    expect(await names(query)).toBe(byName)
  })

  it('pages follow the order', async () => {
    const second = await app.get(`${ns}/${plural}?orderby=count&order=desc&per_page=2&page=2`)
    expect(second.body[plural].map((term: { name: string }) => term.name)).toEqual(['Gamma', 'Alpha'])
    expect([second.body.total, second.body.total_pages]).toEqual([4, 2])
  })

  const filters: [string, string][] = [
    ['', byName],
    ['hide_empty=1', byName],
    ['hide_empty=TRUE', byName],
    ['hide_empty=0', 'Alpha beta delta drafted Gamma unused'],
    ['hide_empty=False', 'Alpha beta delta drafted Gamma unused'],
    ['search=a', byName],
    ['search=LPH', 'Alpha'],
    ['search=firs', 'Gamma'],
    ['search=m-m', 'beta'],
    ['search=e', 'beta delta'],
    ['search=%25', ''],
    ['search=_', ''],
    ['search=aaa', ''],
    ['search=alpha%20beta', ''],
    ['search=used', ''],
    ['search=used&hide_empty=0', 'unused'],
    ['slug=m-middle', 'beta'],
    ['slug=m-mid', ''],
    ['slug=unused', ''],
    ['slug=unused&hide_empty=0', 'unused'],
    ['slug=nothing', ''],
    ['include={beta}', 'beta'],
    ['include={beta},{Alpha}', 'Alpha beta'],
    ['include[]={beta}&include[]={Gamma}', 'beta Gamma'],
    ['include={unused}', ''],
    ['include={unused}&hide_empty=0', 'unused'],
    ['exclude={beta}', 'Alpha delta Gamma'],
    ['exclude=%20{beta},,{Alpha}', 'delta Gamma'],
    ['exclude[]={beta}&exclude[]={unused}', 'Alpha delta Gamma'],
    ['include={beta},{Alpha}&exclude={beta}', 'Alpha'],
    ['post={two}', 'beta delta Gamma'],
    ['event={two}', 'beta delta Gamma'],
    ['event={one}&search=a&exclude={Alpha}', 'beta delta Gamma'],
    ['event={four}&post={one}', 'delta'],
    ['event={bare}', ''],
    ['event={two}&orderby=id&order=desc', 'beta delta Gamma'],
  ]
  // One module translates and lists both kinds.
  it.each(plural === 'tags' ? partOf(filters, 3) : filters)('%s finds %j', async (query, expected) => {
    expect(await names(query)).toBe(expected)
  })

  it('terms do not reveal events that the user may not see', async () => {
    for (const word of ['draft', 'locked']) {
      expect(await names(`event={${word}}&hide_empty=0`)).toBe('')
    }
    expect(await names('hide_empty=1')).not.toContain('unused')
  })

  it('search and order use the requested language', async () => {
    expect(await names('', '/fr')).toBe('Alpha beta Été 100% Gamma')
    for (const text of ['ete', 'ÉTÉ', '100%25', 'ete-100'])
      expect(await names(`search=${text}`, '/fr')).toBe('Été 100%')
    expect(await names('search=delta', '/fr')).toBe('')
    expect(await names('search=ete')).toBe('')
    for (const root of ['', '/fr']) expect((await names('slug=c-third', root)).split(' ')).toHaveLength(root ? 2 : 1)
  })

  const invalid = [
    ...['hide_empty=', 'hide_empty=yes', 'hide_empty=2', 'search=', 'search=0', 'slug=', 'slug=0', 'search=%00'],
    ...['order=', 'order=0', 'orderby=', 'orderby=0', 'orderby[]=name', 'search[]=a', 'slug[]=a'],
    ...['include=', 'include=,', 'include=0', 'include=999999', 'include=nothing', 'include={foreign}'],
    ...['include={beta},nothing', 'include[a][b]=1', 'include=foreign', 'include=2147483648'],
    ...['exclude=', 'exclude=,', 'exclude=999999', 'exclude=nothing', 'exclude={foreign}', 'exclude=-1'],
    ...['post=', 'post=0', 'post=x', 'post=999999', 'post={venue}', 'post=-1'],
    ...['event=', 'event=0', 'event=x', 'event=999999', 'event={venue}', 'event=2147483648'],
  ]
  it.each(plural === 'tags' ? partOf(invalid, 3) : invalid)('%s is rejected', async (query) => {
    const { status, body } = await list(query)
    const name = /^\w+/.exec(query)?.[0] as string
    expect([query, status, body.code, Object.keys(body.data.params)]).toEqual([
      query,
      400,
      'rest_invalid_param',
      [name],
    ])
  })

  it('one error names all invalid parameters', async () => {
    const wrong = { page: '0', per_page: 'x', search: '', slug: '', order: '', orderby: '', hide_empty: 'yes' }
    const query = new URLSearchParams({ ...wrong, include: 'no', exclude: '999999', post: '999999', event: 'x' })
    const { body } = await app.get(`${ns}/${plural}?${query}`)
    expect(Object.keys(body.data.params).sort()).toEqual([...query.keys()].sort())
  })

  it.each(['Alpha', 'z-last', '{Alpha}', 'alpha'])('include accepts %s', async (value) => {
    expect((await list(`include=${value}`)).status).toBe(200)
    expect((await list(`exclude=${value}`)).status).toBe(200)
  })

  it('a page after the last one is empty and links to the previous page', async () => {
    const { status, body, headers } = await app.get(`${ns}/${plural}?per_page=2&page=3&orderby=id`)
    expect([status, body[plural], body.total, body.total_pages]).toEqual([200, [], 4, 2])
    expect([headers['x-cal-total'], headers['x-cal-totalpages']]).toEqual(['4', '2'])
    expect(body.previous_rest_url).toContain('page=2')
    expect(body).not.toHaveProperty('next_rest_url')
  })

  it('links have every parameter and return the same list', async () => {
    const query = numbered(
      'search=a&exclude={Gamma}&include={Gamma},{Alpha},{beta},{delta}&order=desc&orderby=count&hide_empty=0&post={one}',
    )
    const seen: string[] = []
    let url: string | undefined = `${ns}/${plural}?${query}&per_page=1`
    while (url) {
      const { body }: { body: Record<string, string & { name: string }[]> } = await app.get(url)
      const own = new URL(body.rest_url as string).searchParams
      for (const [name, value] of new URLSearchParams(query)) expect([name, own.get(name)]).toEqual([name, value])
      expect((await app.get((body.rest_url as string).slice('http://calendar.test'.length))).body).toEqual(body)
      seen.push(...(body[plural] ?? []).map(({ name }) => name))
      url = (body.next_rest_url as string | undefined)?.slice('http://calendar.test'.length)
    }
    expect(seen).toEqual(['delta', 'beta', 'Alpha'])
  })
})

describe('parent', () => {
  const ids: Record<string, number> = {}
  beforeAll(async () => {
    await truncate(app.db)
    ids.music = await makeCategory(app.db, 'music')
    ids.sport = await makeCategory(app.db, 'sport')
    ids.running = await makeCategory(app.db, 'running', ids.sport)
    ids.jazz = await makeCategory(app.db, 'jazz', ids.music)
    ids.bebop = await makeCategory(app.db, 'bebop', ids.jazz)
    ids.tag = await makeTag(app.db, 'tag')
    await makeEvent(app.db, 'Choir', { categoryIds: [ids.bebop], tagIds: [ids.tag] })
  })
  const numbered = (query: string) => query.replace(/\{(\w+)\}/g, (_, word: string) => String(ids[word]))
  const names = async (query: string) =>
    (await app.get(`${ns}/categories?${numbered(query)}`)).body.categories.map((term: { name: string }) => term.name)

  it.each([
    // Ancestors of a used category count as used.
    ['', ['bebop', 'jazz', 'music']],
    ['parent=0', ['music']],
    ['parent=0&hide_empty=0', ['music', 'sport']],
    ['parent={music}', ['jazz']],
    ['parent={jazz}', ['bebop']],
    ['parent={bebop}', []],
    ['parent={sport}', []],
    ['parent={sport}&hide_empty=0', ['running']],
    ['orderby=parent&hide_empty=0', ['music', 'sport', 'jazz', 'running', 'bebop']],
    ['parent={music}&search=z', ['jazz']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  it.each(['', 'x', '-1', '999999', '{tag}', '1.5', 'music'])('parent=%s is rejected', async (value) => {
    const { status, body } = await app.get(`${ns}/categories?parent=${numbered(value)}`)
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, ['parent']])
  })

  it('is in links, also 0, and tags ignore it', async () => {
    for (const value of ['0', String(ids.music)]) {
      const { body } = await app.get(`${ns}/categories?parent=${value}&hide_empty=0&per_page=1`)
      expect(new URL(body.rest_url).searchParams.get('parent')).toBe(value)
    }
    expect((await app.get(`${ns}/tags?parent=x`)).body.total).toBe(1)
  })
})
