// Fields that only venues have (contract c.3, c.3.1, QUIRK-21, 25).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { encodings, newRecord, ns } from '../helpers/rest.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let created = 0
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

const create = (fields: object, encode: (fields: object) => object | string = (same) => same) =>
  admin.send('POST', `${ns}/venues`, encode({ ...newRecord('venues', `Hall ${++created}`), ...fields }))
const edit = (id: number, fields: object | string) => admin.send('PUT', `${ns}/venues/${id}`, fields)

const derived: readonly [object, string | undefined][] = [
  [{ country: 'US', state: 'DC' }, 'DC'],
  [{ country: 'United States', state: 'DC', province: 'X' }, 'DC'],
  [{ state: 'DC' }, 'DC'],
  [{ country: '', state: 'DC', province: 'X' }, 'DC'],
  [{ country: 'Canada', province: 'ON' }, 'ON'],
  [{ country: 'South Africa', province: 'Gauteng', state: 'X' }, 'Gauteng'],
  [{ country: 'US', province: 'Puerto Rico' }, 'Puerto Rico'],
  [{ country: 'France', state: 'X' }, undefined],
  [{ country: 'France' }, undefined],
  [{ country: 'US', state: 'DC', stateprovince: 'Own' }, 'Own'],
  [{ country: 'US', state: 'DC', stateprovince: '' }, 'DC'],
]

it.each(derived)('stateprovince of %j is %j', async (fields, expected) => {
  for (const [name, encode] of encodings) {
    const { status, body } = await create(fields, encode)
    expect([status, body.stateprovince], name).toEqual([201, expected])
    const other = await create({ city: 'X' })
    expect((await edit(other.body.id, encode(fields))).body.stateprovince, name).toBe(expected)
  }
})

it.each<[object, object, string | undefined]>([
  [{ country: 'US', state: 'DC' }, { phone: '1' }, 'DC'],
  [{ country: 'US', state: 'DC' }, { state: 'NY' }, 'NY'],
  [{ country: 'US', state: 'DC' }, { state: '' }, undefined],
  [{ country: 'US', state: 'DC' }, { country: 'Canada' }, undefined],
  [{ country: 'US', state: 'DC' }, { country: 'Canada', province: 'ON' }, 'ON'],
  [{ country: 'Canada', province: 'ON', state: 'X' }, { country: '' }, 'X'],
  [{ country: 'US', state: 'DC', stateprovince: 'Own' }, { city: 'Y' }, 'Own'],
  [{ country: 'US', state: 'DC', stateprovince: 'Own' }, { country: 'US', state: 'DC' }, 'Own'],
  [{ country: 'US', state: 'DC', stateprovince: 'Own' }, { state: 'NY' }, 'NY'],
  [{ country: 'US', state: 'DC', stateprovince: 'Own' }, { stateprovince: '' }, 'DC'],
  [{ country: 'US', state: 'DC' }, { state: 'NY', stateprovince: 'Own' }, 'Own'],
])('state_province of %j updated by %j is %j', async (before, change, expected) => {
  const { body } = await create(before)
  const { status, body: after } = await edit(body.id, change)
  expect([status, after.stateprovince]).toEqual([200, expected])
})

it('maps are shown unless they are switched off', async () => {
  const { body } = await create({})
  expect(body).toMatchObject({ show_map: true, show_map_link: true })
  expect((await edit(body.id, { show_map: 'no' })).body).toMatchObject({ show_map: false, show_map_link: true })
  expect((await edit(body.id, { phone: '1' })).body).toMatchObject({ show_map: false, show_map_link: true })
  expect((await edit(body.id, { show_map: true })).body.show_map).toBe(true)
})

it.each([
  [2, true],
  [-1, true],
])('the lenient flag show_map accepts the JSON value %j as %j (contract b.4)', async (value, expected) => {
  const { status, body } = await create({ show_map: value })
  expect([status, body.show_map]).toEqual([201, expected])
})

it.each([[[]], [{ yes: true }]])('show_map as %j is 400', async (value) => {
  const { status, body } = await create({ show_map: value })
  expect([status, Object.keys(body.data.params)]).toEqual([400, ['show_map']])
})

it('empty fields are omitted and other fields are shown', async () => {
  const fields = {
    address: '1',
    city: 'C',
    country: 'CO',
    province: 'P',
    state: 'S',
    zip: 'Z',
    phone: '2',
    website: 'http://w.test/',
  }
  const { body } = await create({ ...fields, description: 'D' })
  expect(body).toMatchObject({ ...fields, description: '<p>D</p>', stateprovince: 'P' })
  const emptied = Object.fromEntries([...Object.keys(fields), 'description'].map((name) => [name, '']))
  const { body: after } = await edit(body.id, emptied)
  for (const name of [...Object.keys(emptied), 'stateprovince', 'image', 'excerpt'])
    expect(after).not.toHaveProperty(name)
})
