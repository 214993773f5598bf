// Text as it is written and read, and writing back what was read (contract c.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeImage } from '../helpers/make.ts'
import { encodings, encodingsOf, kinds, nameField, newRecord, ns, numbered, posts } from '../helpers/rest.ts'
import { partOf } from '../helpers/runs.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'America/New_York' })
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

const names: readonly [sent: string, shown: string][] = [
  ['Salt & pepper', 'Salt &amp; pepper'],
  ['Salt &amp; vinegar', 'Salt &amp; vinegar'],
  ['&amp;lt; twice', '&amp;lt; twice'],
  ['1 < 2 > 0', '1 &lt; 2 &gt; 0'],
  ['<b>Bold</b> move', 'Bold move'],
  ['<b>B</b><script>x</script>', 'B'],
  ['Jazz <!-- <b>hidden</b> -->night<style>b{}</style>', 'Jazz night'],
  ['&lt;b&gt;not bold', '&lt;b&gt;not bold'],
  ['Caf&eacute; &#8211; bar', 'Café – bar'],
  ['Cafe\u0301', 'Café'],
  ['Quo"tes\' “curly”', 'Quo"tes\' “curly”'],
  ['a &copy b &amp c', 'a &amp;copy b &amp;amp c'],
  ['  two   spaces\n and a line ', 'two spaces and a line'],
  ['音楽 🎵', '音楽 🎵'],
  ['half \ud83c surrogate', 'half \ufffd surrogate'],
]

// Names of all kinds are cleaned in the same way: each kind gets a third of them.
describe.each(kinds)('names of %s', (kind) => {
  it.each(partOf(numbered(names), 3, kinds.indexOf(kind)))('%j is shown as %j', async (sent, shown, index) => {
    const { status, body } = await admin.send('POST', `${ns}/${kind}`, newRecord(kind, sent))
    expect([status, body[nameField[kind]]]).toEqual([201, shown])
    for (const [encoding, encode] of encodingsOf(index + kinds.indexOf(kind))) {
      const path = `${ns}/${kind}/${body.id}`
      const { body: after } = await admin.send('PUT', path, encode({ [nameField[kind]]: shown }))
      expect(after[nameField[kind]], encoding).toBe(shown)
    }
    await admin.send('DELETE', `${ns}/${kind}/${body.id}`)
  })
})

const descriptions: readonly [sent: string, shown: string][] = [
  ['X', '<p>X</p>'],
  ['One\n\nTwo\nlines', '<p>One</p>\n<p>Two<br />\nlines</p>'],
  ['a & b < c', '<p>a &amp; b &lt; c</p>'],
  ['<p>Kept <em>as</em> is</p>', '<p>Kept <em>as</em> is</p>'],
  ['<script>alert(1)</script>Safe <a href="javascript:alert(1)" onclick="x">link</a>', '<p>Safe <a>link</a></p>'],
  ['<h2>Head</h2><ul><li>a</li></ul>tail', '<h2>Head</h2>\n<ul><li>a</li></ul>\n<p>tail</p>'],
  ['&amp;lt;', '<p>&amp;lt;</p>'],
]

it.each(numbered(descriptions))('a description %j is shown as %j', async (description, shown, index) => {
  for (const kind of posts) {
    const { body } = await admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, `Of ${shown}`), description })
    expect(body.description).toBe(shown)
    for (const [encoding, encode] of encodingsOf(index + posts.indexOf(kind))) {
      const again = await admin.send('PUT', `${ns}/${kind}/${body.id}`, encode({ description: shown }))
      expect(again.body.description, encoding).toBe(shown)
    }
  }
})

/** Fields that only single reads return, also in linked records. */
const withoutJsonLd = (body: object) =>
  JSON.parse(JSON.stringify(body), (key, value) => (key === 'json_ld' ? undefined : value))

describe.each(encodings)('written back by %s', (name, encode) => {
  /** Each row is written back in one of the encodings. */
  const partOfEncoding = <Row>(rows: readonly Row[]) =>
    partOf(
      rows,
      encodings.length,
      encodings.findIndex(([other]) => other === name),
    )

  it.each(
    partOfEncoding<[string, object]>([
      ['in its own zone', { timezone: 'Asia/Tokyo' }],
      ['of whole days', { all_day: true, timezone: 'Europe/Paris' }],
      ['scheduled', { date: '2027-01-01 10:00:00' }],
      ['a draft with a slug', { status: 'draft' }],
      ['private', { status: 'private' }],
      ['with a fixed offset', { timezone: 'UTC-5:30' }],
      [
        'in a repeated hour',
        { timezone: 'Europe/Paris', start_date: '2026-10-25 02:30', end_date: '2026-10-25 03:30' },
      ],
    ]),
  )('writing back the response of %s changes only `modified`', async (_which, more) => {
    const image = await makeImage(app.db)
    const links = {
      venue: [{ venue: 'A & B' }, { venue: 'C' }],
      organizer: { organizer: 'D <i>e</i>' },
      categories: 'x,y',
      tags: ['R&amp;B'],
    }
    const text = {
      title: 'A &lt;b&gt; & c',
      description: 'One & two\n\n<em>three</em>',
      excerpt: 'Short',
      slug: 'back',
    }
    const flags = { show_map: true, sticky: true, featured: true, hide_from_listings: true }
    const fields = {
      ...newRecord('events', ''),
      ...text,
      ...links,
      ...flags,
      image,
      website: 'http://x.test/?a=1&b=2',
      ...more,
    }
    const created = await admin.send('POST', `${ns}/events`, fields)
    expect(created.status).toBe(201)
    const before = withoutJsonLd((await admin.get(`${ns}/events/${created.body.id}`)).body)
    const numbers = (records: { id: number }[] | { id: number }) => [records].flat().map(({ id }) => id)
    const { venue, organizer, categories, tags } = before
    const linked = {
      venue: numbers(venue),
      organizer: numbers(organizer),
      categories: numbers(categories),
      tags: numbers(tags),
    }
    app.clock.now = new Date(now.getTime() + 60_000)
    const { status, body } = await admin.send(
      'PUT',
      `${ns}/events/${before.id}`,
      encode({ ...before, ...linked, image, cost: undefined }),
    )
    app.clock.now = now
    expect(status, JSON.stringify(body)).toBe(200)
    const modified = { modified: '2026-11-21 07:01:00', modified_utc: '2026-11-21 12:01:00' }
    expect(body).toEqual({ ...before, ...modified })
    await admin.send('DELETE', `${ns}/events/${before.id}`)
  })

  it.each(partOfEncoding(['venues', 'organizers', 'categories', 'tags'] as const))(
    '%s, whole as they are',
    async (kind) => {
      const place = { address: '1 & 2', city: 'L', country: 'US', state: 'NY', province: 'P', stateprovince: 'Own' }
      const more = {
        description: 'One & two',
        phone: '1',
        website: 'http://x.test/?a=1&b=2',
        email: 'a@b.test',
        show_map: '0',
      }
      const fields = { ...newRecord(kind, 'A & <b>b</b>'), ...place, ...more }
      const { body: created } = await admin.send('POST', `${ns}/${kind}`, fields)
      const before = withoutJsonLd((await admin.get(`${ns}/${kind}/${created.id}`)).body)
      const { status, body } = await admin.send('PUT', `${ns}/${kind}/${before.id}`, encode(before))
      expect([status, body]).toEqual([200, before])
      await admin.send('DELETE', `${ns}/${kind}/${before.id}`)
    },
  )
})
