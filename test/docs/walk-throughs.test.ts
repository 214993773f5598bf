// The walk-throughs of docs/contributing.md, followed in a copy of the repository: their patches are applied, the commands of
// the page are run, and the service reads and writes what was added.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { embeddedUrl, emptyDatabaseUrl } from '../helpers/db.ts'
import { type Clone, cloneRepository } from './clone.ts'
import { applyPatch, patchedFiles, patches, readCommands } from './patches.ts'

/** `npm run check` takes a minute, so only `npm run test:full` runs all of it. Otherwise it checks what is patched. */
const isExhaustive = process.env.EVERY_CHECK === 'on'
const checkOfPatched = `npx tsc --noEmit --checkers 1 -p data/tsconfig.json
npx biome check ${patchedFiles().join(' ')}`

// Each test continues what the one before left in the copy.
describe('a copy of the repository in which the walk-throughs were followed', { shuffle: false }, () => {
  let clone: Clone
  let drop: () => Promise<void>

  beforeAll(async () => {
    const folder = await emptyDatabaseUrl('')
    drop = folder.drop
    clone = await cloneRepository({ SEED: 'off', ...(inject('server') ? { DATABASE_URL: folder.url } : {}) })
    const data = join(clone.folder, 'data')
    mkdirSync(data)
    if (!inject('server')) embeddedUrl(data)
    for (const patch of patches) applyPatch(clone.folder, patch)
    const tests = patchedFiles().filter((file) => file.startsWith('test/'))
    const include = ['src', ...tests].map((file) => `../${file}`)
    writeFileSync(join(data, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', include }))
  })
  afterAll(async () => {
    await clone?.drop()
    await drop?.()
  })

  /** Sends a request as the first administrator. */
  async function read(path: string, body = ''): Promise<string> {
    const { code, out, err } = await clone.run(`curl -sS -u "admin:$PASSWORD" localhost:4000${path} ${body}`)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return out
  }

  /** Sends JSON as the first administrator, and returns the parsed response. */
  async function request(path: string, body?: object) {
    const data =
      body === undefined ? '' : `-H 'content-type: application/json' -d @-  <<'JSON'\n${JSON.stringify(body)}\nJSON`
    return JSON.parse(await read(path, data))
  }
  const graphql = async (query: string, variables: object) => (await request('/graphql', { query, variables })).data
  const rest = (path: string, body?: object) => request(`/cal/events/v1${path}`, body)

  test('passes the checks', async () => {
    const all = readCommands()
    expect(all.join()).toContain('npm run check')
    for (const commands of all) {
      const { code, out, err } = await clone.run(
        isExhaustive ? commands : commands.replace('npm run check', checkOfPatched),
      )
      expect(code, `${out}\n${err}`).toBe(0)
    }
  })

  test('starts, migrates, and has an event’s new field and filter in both APIs', async () => {
    await clone.start()
    const start = { title: 'Concert', start_date: '2027-01-01 20:00:00', end_date: '2027-01-01 22:00:00' }
    const { id, minimum_age } = await rest('/events', { ...start, minimum_age: 16 })
    expect(minimum_age).toBe(16)
    const update = 'mutation ($input: UpdateEventInput!) { updateEvent(input: $input) { event { minimumAge } } }'
    const changed = await graphql(update, { input: { id: String(id), minimumAge: 18 } })
    expect(changed).toEqual({ updateEvent: { event: { minimumAge: 18 } } })
    expect(await rest(`/events/${id}`)).toMatchObject({ id, minimum_age: 18 })

    const { total, rest_url } = await rest('/events?for_age=17&search=concert&start_date=2027-01-01')
    const admitting = await rest('/events?for_age=18&search=concert&start_date=2027-01-01')
    expect(admitting.total).toBe(total + 1)
    const count = 'query ($age: Int) { events(filter: { forAge: $age, search: "concert" }) { totalCount } }'
    const [before, after] = [await graphql(count, { age: 17 }), await graphql(count, { age: 18 })]
    expect(after.events.totalCount).toBe(before.events.totalCount + 1)
    expect(rest_url).toContain('for_age=17')
  })

  test('shows an event’s new field to people: page, search engines and feeds', async () => {
    await clone.start()
    const start = { title: 'Masked ball', start_date: '2027-02-06 20:00:00', end_date: '2027-02-06 22:00:00' }
    const { slug } = await rest('/events', { ...start, minimum_age: 16 })
    const labels = { '': 'Minimum age', '/fr': 'Âge minimum', '/es': 'Edad mínima' }
    for (const [root, label] of Object.entries(labels)) {
      const page = await read(`${root}/event/${slug}/`)
      expect(page).toMatch(new RegExp(`<dt>${label}</dt>\\s*<dd>16</dd>`))
      expect(page).toContain('"typicalAgeRange":"16-"')
    }
    const ball = '?search=masked+ball&start_date=2027-02-06'
    const { items } = await request(`/events.json${ball}`)
    expect(items).toMatchObject([{ title: 'Masked ball', _event: { minimum_age: 16 } }])
    expect(items[0].content_text).toContain(' · 16+')
    expect(await read(`/events.rss${ball}`)).toContain(' · 16+')
  })

  test('has the new kind in both APIs', async () => {
    await clone.start()
    const create = `mutation ($input: CreateSponsorInput!) {
      createSponsor(input: $input) { sponsor { id databaseId slug } userErrors { message } } }`
    const { createSponsor } = await graphql(create, { input: { name: 'Big Bank', website: 'https://bank.example' } })
    expect(createSponsor).toMatchObject({ sponsor: { slug: 'big-bank' }, userErrors: [] })
    const { id, databaseId } = createSponsor.sponsor
    expect(await rest(`/sponsors/${databaseId}`)).toMatchObject({
      sponsor: 'Big Bank',
      website: 'https://bank.example',
    })

    const small = await rest('/sponsors', { sponsor: 'Small Shop' })
    expect(small).toMatchObject({ sponsor: 'Small Shop', slug: 'small-shop' })
    expect(await rest('/sponsors?search=shop')).toMatchObject({ total: 1, sponsors: [{ id: small.id }] })
    expect(await rest('/sponsors?has_events=1&only_with_upcoming=1&event=1')).toMatchObject({ total: 2 })
    const query = `query ($id: ID!) {
      node(id: $id) { ... on Sponsor { name } }
      sponsors(orderBy: { field: NAME }) { totalCount nodes { name translations { language } } } }`
    expect(await graphql(query, { id })).toEqual({
      node: { name: 'Big Bank' },
      sponsors: {
        totalCount: 2,
        nodes: ['Big Bank', 'Small Shop'].map((name) => ({ name, translations: [{ language: 'EN' }] })),
      },
    })
    expect(await rest(`/events/${databaseId}`)).toMatchObject({ code: 'rest-invalid-event-id' })
  })

  test('has the new field in spreadsheets, and exports both', async () => {
    await clone.stop()
    const { code, err } = await clone.run(`npm run -s cli -- export-csv --search masked --file /tmp/events.csv
      sed -i '/Masked ball/ s/,16,/,17,/' /tmp/events.csv
      npm run -s cli -- import-csv /tmp/events.csv
      npm run -s cli export /tmp/export.ndjson`)
    expect(code, err).toBe(0)
    const exported = readFileSync(join(clone.folder, 'data/export.ndjson'), 'utf8')
    expect(exported).toContain('{"sponsor":{')
    expect(exported).toMatch(/"minimum_age":17\b/)
    expect(exported).not.toMatch(/"minimum_age":16\b/)
  })
})
