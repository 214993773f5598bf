// Categories and tags in an event's body (contract b.13, h.7, h.9, QUIRK-18).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeTag, type Texts } from '../helpers/make.ts'
import { encodingsOf, newRecord, ns, numbered, terms } from '../helpers/rest.ts'
import { partOf } from '../helpers/runs.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const ids = {} as Record<(typeof terms)[number], number[]>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  const texts: Texts[] = [{ en: { name: 'Live Music', slug: 'live' } }, { en: 'Théâtre', fr: 'Scène' }, { en: 'Zoo' }]
  ids.categories = []
  ids.tags = []
  for (const text of texts) ids.categories.push(await makeCategory(app.db, text))
  await makeTag(app.db, 'Numbers apart')
  for (const text of texts) ids.tags.push(await makeTag(app.db, text))
})
afterAll(() => app.close())

const names = (records: { name: string }[]) => records.map(({ name }) => name)

describe.each(terms)('%s', (kind) => {
  const id = (index: number) => ids[kind][index] ?? 0

  const values: readonly [string, () => unknown, string[]][] = [
    ['a number', () => id(0), ['Live Music']],
    ['a number as text', () => ` ${id(0)}`, ['Live Music']],
    ['numbers', () => [id(2), id(1)], ['Théâtre', 'Zoo']],
    ['a slug', () => 'live', ['Live Music']],
    ['a slug to be', () => 'LIVE', ['Live Music']],
    ['a name in any case', () => 'live MUSIC', ['Live Music']],
    ['a name without accents', () => ['theatre'], ['Théâtre']],
    ['a name in another language', () => 'Scène', ['Théâtre']],
    ['CSV', () => ` live , ${id(2)},, New ${kind},`, ['Live Music', `New ${kind}`, 'Zoo']],
    [
      'a mixture with duplicates',
      () => [id(0), 'live', 'Live Music', `Mixed ${kind}`],
      ['Live Music', `Mixed ${kind}`],
    ],
    ['a new name twice', () => [`Twice ${kind}`, `twice ${kind}`], [`Twice ${kind}`]],
    ['a comma in a list', () => ['Wine, cheese'], ['Wine, cheese']],
    ['entities', () => ['Salt &amp; pepper', 'Salt & pepper'], ['Salt &amp; pepper']],
    ['unknown numbers', () => [999_999, '99999999999', '1.5', '-1', id(2)], ['Zoo']],
    ['nothing', () => '', []],
    ['commas', () => ' , ', []],
    ['an empty list', () => [], []],
  ]
  // Categories and tags share the rows: the rules are the same.
  it.each(partOf(numbered(values), 2, terms.indexOf(kind)))('%s', async (_label, value, expected, index) => {
    for (const [encoding, encode] of encodingsOf(Math.floor(index / 2))) {
      const { status, body } = await admin.send(
        'POST',
        `${ns}/events`,
        encode({ ...newRecord('events', 'Filed'), [kind]: value() }),
      )
      expect([status, names(body[kind])], encoding).toEqual([201, expected])
      const path = `${ns}/events/${body.id}`
      await admin.send('PUT', path, { [kind]: [id(1)] })
      expect(names((await admin.send('PUT', path, { title: 'Kept', [kind]: null })).body[kind])).toEqual(['Théâtre'])
      const fields = encode({ [kind]: value() })
      // A form cannot contain an empty list: the field is absent.
      if (fields !== '') expect(names((await admin.send('PUT', path, fields)).body[kind])).toEqual(expected)
    }
  })

  it('terms are looked up by slug, then ID, then name', async () => {
    const fields = { name: `Year ${kind}`, slug: `by-slug-${kind}` }
    const { body } = await admin.send('POST', `${ns}/${kind}`, fields)
    await admin.send('POST', `${ns}/${kind}`, { name: `by-slug-${kind}`, slug: 'elsewhere' })
    const event = await admin.send('POST', `${ns}/events`, { ...newRecord('events', 'X'), [kind]: `by-slug-${kind}` })
    expect(event.body[kind]).toMatchObject([{ id: body.id }])
  })

  it('missing terms are created at the top level by every user who may write the event', async () => {
    const contributor = await app.signIn('contributor')
    const fields = { ...newRecord('events', 'Theirs'), [kind]: `Contributed ${kind}` }
    const { status, body } = await contributor.send('POST', `${ns}/events`, fields)
    expect([status, names(body[kind])]).toEqual([201, [`Contributed ${kind}`]])
    // Drafts are not counted.
    expect(body[kind][0].count).toBe(0)
    const visitor = await app.send('POST', `${ns}/events`, { ...fields, [kind]: `Visited ${kind}` })
    expect(visitor.status).toBe(401)
    const { body: list } = await app.get(`${ns}/${kind}?hide_empty=0&per_page=50`)
    expect(names(list[kind])).not.toContain(`Visited ${kind}`)
  })
})
