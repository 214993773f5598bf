// Creating a venue or organizer that exists already returns the existing one (contract f.1, QUIRK-39).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { encodings, newRecord, ns } from '../helpers/rest.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

describe.each(['venues', 'organizers'] as const)('%s', (kind) => {
  const single = kind.slice(0, -1)
  const post = (name: string, fields: object = {}) =>
    admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, name), ...fields })

  it.each(encodings)('of the same name, without regard to case and accents, by %s', async (encoding, encode) => {
    const first = (await post(`Café ${encoding}`, { phone: '1', description: 'First' })).body
    for (const name of [`Café ${encoding}`, `CAFE ${encoding}`, ` café  ${encoding} `, `<b>Café</b> ${encoding}`]) {
      const { status, body } = await admin.send(
        'POST',
        `${ns}/${kind}`,
        encode({ ...newRecord(kind, name), phone: '2', city: 'X' }),
      )
      expect([status, body], name).toEqual([201, first])
    }
  })

  it.each(['Plain', 'Tom & Jerry', '<p>Marked <em>up</em></p>', 'a < b', '<script>x</script>Safe'])(
    'with a description, only of the same: %s',
    async (description) => {
      const name = `Described as ${description.replace(/\W/g, '')}`
      const first = (await post(name, { description })).body
      expect((await post(name, { description })).body.id).toBe(first.id)
      expect(
        (await post(name, { description: description.toUpperCase().replace('SCRIPT>X</SCRIPT', 'script>x</script') }))
          .body.id,
      ).toBe(first.id)
      expect((await post(name)).body.id).toBe(first.id)
      expect((await post(name, { description: 'Another' })).body.id).not.toBe(first.id)
      expect((await post(name)).body.id).toBe(first.id)
    },
  )

  it('ignores records in the trash and names that only begin the same', async () => {
    const { id } = (await post('100% Hall_')).body
    expect((await post('100% Hall')).body.id).not.toBe(id)
    expect((await post('100% Hall_ 2')).body.id).not.toBe(id)
    expect((await post('100% hall_')).body.id).toBe(id)
    await admin.send('DELETE', `${ns}/${kind}/${id}`)
    expect((await post('100% Hall_')).body.id).not.toBe(id)
  })

  it('returns the existing record unchanged to every user who may create', async () => {
    const first = (await post('Shared', { phone: '1' })).body
    const contributor = await app.signIn('contributor')
    const { status, body } = await contributor.send('POST', `${ns}/${kind}`, {
      ...newRecord(kind, 'shared'),
      phone: '2',
    })
    expect([status, body]).toEqual([201, first])
    const subscriber = await app.signIn('subscriber')
    expect((await subscriber.send('POST', `${ns}/${kind}`, newRecord(kind, 'shared'))).status).toBe(403)
  })

  it('ignores records that the caller may not read', async () => {
    const { id } = (await post('Hidden', { status: 'draft' })).body
    const contributor = await app.signIn('contributor')
    const other = await contributor.send('POST', `${ns}/${kind}`, newRecord(kind, 'Hidden'))
    expect([other.status, other.body.id === id]).toEqual([201, false])
    expect((await post('Hidden')).body.id).toBe(id)
  })

  it('also applies to new venues and organizers of an event', async () => {
    const { id } = (await post('Inline')).body
    const event = { title: 'X', start_date: '2026-12-01', end_date: '2026-12-01' }
    const { body } = await admin.send('POST', `${ns}/events`, {
      ...event,
      [single]: { [single]: 'INLINE', phone: '3' },
    })
    expect([body[single]].flat()).toMatchObject([{ id, [single]: 'Inline' }])
    expect([body[single]].flat()[0].phone).toBeUndefined()
  })

  it('updates do not merge records', async () => {
    const [one, two] = [(await post('Merge one')).body, (await post('Merge two')).body]
    const { body } = await admin.send('PUT', `${ns}/${kind}/${two.id}`, newRecord(kind, 'Merge one'))
    expect([body.id, body[single], body.slug]).toEqual([two.id, 'Merge one', 'merge-two'])
    expect((await post('merge one')).body.id).toBe(one.id)
  })
})

it('events are never merged', async () => {
  const post = () => admin.send('POST', `${ns}/events`, newRecord('events', 'Weekly'))
  const [first, second] = [(await post()).body, (await post()).body]
  expect([first.slug, second.slug, first.id === second.id]).toEqual(['weekly', 'weekly-2', false])
})
