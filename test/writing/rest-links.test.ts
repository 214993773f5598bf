// Venues and organizers in an event's body, in every form (contract b.12, QUIRK-16, 17).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeOrganizer, makeVenue } from '../helpers/make.ts'
import { encodingsOf, errorOf, invalid, newRecord, ns, numbered } from '../helpers/rest.ts'
import { partOf } from '../helpers/runs.ts'

type NamedRecord = Readonly<Record<string, unknown>>
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let created = 0
const ids: Record<string, number[]> = { venue: [], organizer: [] }
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  for (const name of ['A', 'B', 'C']) {
    ids.venue?.push(await makeVenue(app.db, name))
    ids.organizer?.push(await makeOrganizer(app.db, name))
  }
})
afterAll(() => app.close())

const create = (fields: object, encode: (fields: object) => object | string = (same) => same) =>
  admin.send('POST', `${ns}/events`, encode({ ...newRecord('events', `Event ${++created}`), ...fields }))
const edit = (id: number, fields: object | string) => admin.send('PUT', `${ns}/events/${id}`, fields)
const names = (field: string, records: NamedRecord | NamedRecord[]) => [records].flat().map((record) => record[field])

const linked = ['venue', 'organizer']

// Both fields share the rows: the forms are the same.
describe.each(linked)('%s', (field) => {
  const partOfField = <Row>(rows: readonly Row[]) => partOf(rows, linked.length, linked.indexOf(field))
  const id = (index: number) => ids[field]?.[index] ?? 0
  const forms: readonly [string, () => unknown, string[]][] = [
    ['a number', () => id(0), ['A']],
    ['a number as text', () => ` ${id(0)} `, ['A']],
    ['numbers as CSV', () => `${id(1)}, ${id(0)},`, ['B', 'A']],
    ['a list of numbers', () => [id(2), String(id(0)), id(2)], ['C', 'A']],
    ['an object with a number', () => ({ id: id(1) }), ['B']],
    ['an object with a number as text', () => ({ id: String(id(1)), extra: 'x' }), ['B']],
    ['a new one', () => ({ [field]: 'New &amp; own', phone: '1', id: '', unknown: { a: 1 } }), ['New &amp; own']],
    ['a mixture', () => [{ [field]: 'Mixed' }, { id: id(1) }, id(0)], ['Mixed', 'B', 'A']],
    ['a list of one', () => [id(0)], ['A']],
    ['with empty ones between', () => ['', id(0), 0], ['A']],
    ['nothing in a list', () => [''], []],
    ['an empty text', () => '', []],
    ['zero', () => 0, []],
    ['empty objects in a list', () => [{}, '', {}], []],
  ]

  it.each(partOfField(numbered(forms)))('%s', async (_label, value, expected, index) => {
    for (const [encoding, encode] of encodingsOf(Math.floor(index / 2))) {
      const { status, body } = await create({ [field]: value() }, encode)
      expect([status, names(field, body[field])], encoding).toEqual([201, expected])
      if (field === 'venue') expect(Array.isArray(body.venue)).toBe(expected.length !== 1)
      else expect(Array.isArray(body.organizer)).toBe(true)
      const other = await create({ [field]: [id(2), id(1)] })
      expect(names(field, (await edit(other.body.id, encode({ [field]: value() }))).body[field])).toEqual(expected)
    }
  })

  it.each(partOfField([[''], [0], ['0'], [null], [[]], [{}], [false], [[false, {}]], [{ id: null }]]))(
    'removed by %j, unchanged when absent',
    async (empty) => {
      const { body } = await create({ [field]: id(0) })
      expect(names(field, (await edit(body.id, { title: 'Other' })).body[field])).toEqual(['A'])
      expect((await edit(body.id, { [field]: empty })).body[field]).toEqual([])
      expect((await create({ [field]: empty })).body[field]).toEqual([])
    },
  )

  it('an empty value in a form removes all links', async () => {
    for (const text of [`${field}=`, `${field}[]=`]) {
      const { body } = await create({ [field]: id(0) })
      expect((await edit(body.id, text)).body[field]).toEqual([])
    }
  })

  it('a new venue or organizer has the fields and status of the request', async () => {
    const image = await app.db.image.create({ data: { url: 'https://images.test/a.png', mimeType: 'image/png' } })
    const fields = {
      [field]: 'Full',
      phone: '12',
      website: 'https://own.test/',
      image: image.id,
      date: '2026-01-01',
      author: admin.id,
    }
    const record = [(await create({ [field]: fields })).body[field]].flat()[0]
    const shown = {
      [field]: 'Full',
      phone: '12',
      website: 'https://own.test/',
      status: 'publish',
      date: '2026-01-01 00:00:00',
    }
    expect(record).toMatchObject({ ...shown, author: String(admin.id), image: { id: image.id }, slug: 'full' })
    const contributor = await app.signIn('contributor')
    const body = { ...newRecord('events', 'By contributor'), [field]: { [field]: 'Theirs', status: 'publish' } }
    const other = await contributor.send('POST', `${ns}/events`, body)
    expect([other.body[field]].flat()[0]).toMatchObject({ status: 'pending', author: String(contributor.id) })
    const nulls = { [field]: 'Nulls', author: null, date: null, status: null, image: null, website: null, phone: null }
    expect((await create({ [field]: nulls })).status).toBe(201)
  })

  it('one invalid item rejects the whole request', async () => {
    const before = await admin.get(`${ns}/${field}s`)
    const never = { [field]: 'Never' }
    const invalidInput: [unknown, string][] = [
      [{ ...never, date: 'x' }, field],
      [[never, 999_999], field],
      [[never, 'name'], field],
      [`${id(0)},999999`, field],
      [{ ...never, author: 999_999 }, field],
      [{ ...never, image: 999_999 }, field],
    ]
    for (const [value, named] of invalidInput)
      expect(errorOf(await create({ [field]: value })), JSON.stringify(value)).toEqual(invalid(named))
    expect((await admin.get(`${ns}/${field}s`)).body.total).toBe(before.body.total)
  })

  it('IDs of another kind are unknown', async () => {
    const [other = 0] = ids[field === 'venue' ? 'organizer' : 'venue'] ?? []
    expect(errorOf(await create({ [field]: other }))).toEqual(invalid(field))
  })
})
