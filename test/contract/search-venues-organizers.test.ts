// Search in venues and organizers: all fragments in one field, contact fields too (contract c.14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeOrganizer, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const editor = await app.signIn('editor')
  const make = async (kind: 'Venue' | 'Organizer', input: object, root = '') => {
    const mutation = `mutation($input: Create${kind}Input!) { created: create${kind}(input: $input) { userErrors { message } } }`
    const { body } = await editor.graphql(mutation, { input: { status: 'PUBLISHED', ...input } }, root)
    expect(body).toEqual({ data: { created: { userErrors: [] } } })
    // Different publication times, since lists are ordered by them.
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
  }
  const texts = { description: 'A large room', excerpt: 'Built 1900' }
  const place = {
    ...{ address: '12 Rue de l’Église', city: 'Besançon', province: 'Doubs', state: 'Franche-Comté' },
    ...{ stateProvince: 'Bourgogne', zip: '25000', country: 'Atlantis', phone: '+33 381 61 50 50' },
    website: 'https://venuesite.test/',
  }
  const french = (name: string) => ({ translations: [{ language: 'FR', name }] })
  await make('Venue', { name: 'Old Hall', ...texts, ...place })
  await make('Venue', { name: 'Salt works', ...french('Saline royale'), city: 'Arc', address: 'Hall street' })
  await make('Venue', { name: '東京ホール', city: 'قاعة الموسيقى' }, '/fr')
  await make('Venue', { name: 'Locked cellar', ...texts, ...place, password: 'open' })
  await makeVenue(app.db, 'Trashed room', { status: 'trash' })
  const contact = { phone: '+33 381 61 50 50', email: 'box-office@club.test', website: 'https://clubsite.test/x' }
  await make('Organizer', { name: 'Old Club', ...texts, ...contact })
  await make('Organizer', { name: 'Salt friends', ...french('Amis du sel'), email: 'old@salt.test' })
  await make('Organizer', { name: 'Locked choir', ...texts, ...contact, password: 'open' })
  await makeOrganizer(app.db, 'Trashed room', { status: 'trash' })
})
afterAll(() => app.close())

async function names(plural: 'venues' | 'organizers', text: string, root = ''): Promise<string[]> {
  const { status, body } = await app.get(`${root}${ns}/${plural}?search=${encodeURIComponent(text)}`)
  expect([text, status]).toEqual([text, 200])
  expect([body.total, body.total_pages]).toEqual([body[plural].length, body[plural].length ? 1 : 0])
  return body[plural].map((item: Record<string, string>) => item[plural.slice(0, -1)])
}

describe('venues', () => {
  const [hall, salt, tokyo] = ['Old Hall', 'Salt works', '東京ホール']
  it.each([
    ['old', [hall]],
    ['OLD HALL', [hall]],
    ['hall old', [hall]],
    ['ld.all', [hall]],
    ['hall', [salt, hall]],
    ['large', [hall]],
    ['large built', []],
    ['old room', []],
    ['built 1900', [hall]],
    ['12 rue', [hall]],
    ['l eglise', [hall]],
    ["l'Église", [hall]],
    ['besancon', [hall]],
    ['BESANÇON', [hall]],
    ['besancon 25000', []],
    ['doubs', [hall]],
    ['franche-comte', [hall]],
    ['bourgogne', [hall]],
    ['25000', [hall]],
    ['50 50 381', [hall]],
    ['(381) 61', [hall]],
    ['atlantis', []],
    ['venuesite', []],
    ['東京', [tokyo]],
    ['ホール', [tokyo]],
    ['الموسيقى', [tokyo]],
    ['قاعة', [tokyo]],
    ['nothing', []],
    ['old nothing', []],
    // The hyphen is part of the word and excludes nothing.
    ['old -hall', []],
  ])('%s', async (text, expected) => {
    expect(await names('venues', text)).toEqual(expected)
  })

  it.each([
    ['/fr', 'saline', ['Saline royale']],
    ['/fr', 'salt', []],
    ['', 'saline', []],
    ['/es', 'salt works', ['Salt works']],
    ['/fr', 'old hall', ['Old Hall']],
    ['/es', '東京', ['東京ホール']],
  ])('searches the text of the requested language: %s %s', async (root, text, expected) => {
    expect(await names('venues', text, root)).toEqual(expected)
  })
})

describe('organizers', () => {
  const [club, salt] = ['Old Club', 'Salt friends']
  it.each([
    ['club old', [club]],
    ['large', [club]],
    ['built', [club]],
    ['61 50', [club]],
    ['box-office', [club]],
    ['office box', [club]],
    ['clubsite', [club]],
    ['https://clubsite.test/x', [club]],
    ['old@salt.test', [salt]],
    ['old', [salt, club]],
    ['salt', [salt]],
    ['salt friends old', []],
    ['large club', []],
  ])('%s', async (text, expected) => {
    expect(await names('organizers', text)).toEqual(expected)
  })

  it('searches the text of the requested language', async () => {
    expect(await names('organizers', 'amis', '/fr')).toEqual(['Amis du sel'])
    expect(await names('organizers', 'friends', '/fr')).toEqual([])
  })
})

describe.each(['venues', 'organizers'] as const)('protected %s', (plural) => {
  it.each(['room', '381', '33 381 61', '25000', 'box-office', 'clubsite'])('are not found by %s', async (text) => {
    for (const name of await names(plural, text)) expect(name).not.toMatch(/Locked|Trashed/)
  })

  it.each(['locked', 'LOCKED', 'ocke', plural === 'venues' ? 'cellar locked' : 'choir locked'])(
    'are found by their name, which is shown: %s',
    async (text) => {
      expect(await names(plural, text)).toEqual([plural === 'venues' ? 'Locked cellar' : 'Locked choir'])
    },
  )

  it.each(['locked large', 'locked 381', 'locked 33 381'])(
    'are not found by name and more together: %s',
    async (text) => {
      expect(await names(plural, text)).toEqual([])
    },
  )

  it('are found with their password', async () => {
    const { body } = await app.get(`${ns}/${plural}?search=room&password=open`)
    expect(body.total).toBe(2)
  })
})
