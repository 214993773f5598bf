// Which language a write is in (contract a.1; docs/languages.md).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { encodings, errorOf, invalid, type Kind, kinds, nameField, newRecord, ns } from '../helpers/rest.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

const read = async (kind: Kind, id: number, language: string) => {
  const { body, headers } = await app.get(`/${language}${ns}/${kind}/${id}`)
  return [body[nameField[kind]], headers['content-language']]
}

describe.each(kinds)('%s', (kind) => {
  const name = nameField[kind]

  it.each<[string, string, string, object, string]>([
    ['the default', '', '', {}, 'en'],
    ['the root', '/fr', '', {}, 'fr'],
    ['the parameter in the body', '/fr', '', { translation_language: 'es' }, 'es'],
    ['the parameter in the query', '', '?translation_language=fr', {}, 'fr'],
    ['the body before the query', '', '?translation_language=fr', { translation_language: 'es' }, 'es'],
  ])('records are created in the language of %s', async (where, root, query, fields, language) => {
    for (const [encoding, encode] of encodings) {
      const text = `${where} by ${encoding}`
      const response = await admin.send(
        'POST',
        `${root}${ns}/${kind}${query}`,
        encode({ ...newRecord(kind, text), ...fields }),
      )
      expect([response.status, response.headers['content-language']], encoding).toEqual([201, language])
      for (const other of ['en', 'fr', 'es'])
        expect(await read(kind, response.body.id, other)).toEqual([text, language])
    }
  })

  it('an update changes one language and leaves the others', async () => {
    const { body } = await admin.send('POST', `${ns}/${kind}`, { ...newRecord(kind, 'Bread'), description: 'English' })
    const path = `${ns}/${kind}/${body.id}`
    const french = await admin.send('PUT', `/fr${path}`, { [name]: 'Pain' })
    expect([french.status, french.body[name], french.headers['content-language']]).toEqual([200, 'Pain', 'fr'])
    expect(french.body.description).toContain('English')
    await admin.send('PUT', path, { [name]: 'Loaf', description: 'Changed', translation_language: 'en' })
    expect(await read(kind, body.id, 'en')).toEqual(['Loaf', 'en'])
    expect(await read(kind, body.id, 'fr')).toEqual(['Pain', 'fr'])
    expect(await read(kind, body.id, 'es')).toEqual(['Loaf', 'en'])
    await admin.send('PATCH', `${path}?translation_language=es`, { [name]: 'Pan', description: 'Español' })
    expect((await app.get(`/fr${path}`)).body).toMatchObject({
      [name]: 'Pain',
      description: expect.stringContaining('Changed'),
    })
    expect((await app.get(`/es${path}`)).body).toMatchObject({
      [name]: 'Pan',
      description: expect.stringContaining('Español'),
    })
  })

  it('responses link to the language root of the request', async () => {
    const { body } = await admin.send('POST', `/fr${ns}/${kind}`, newRecord(kind, 'Liens'))
    const self = body.rest_url ?? body.urls?.self
    if (self) expect(self).toBe(`http://calendar.test/fr${ns}/${kind}/${body.id}`)
    expect(body.url).toMatch(/^http:\/\/calendar\.test\/fr\//)
  })

  it('other languages are rejected', async () => {
    const fields = { ...newRecord(kind, 'X'), translation_language: 'de' }
    expect(errorOf(await admin.send('POST', `${ns}/${kind}`, fields))).toEqual(invalid('translation_language'))
  })
})

it('each language has its own slug, and each finds the record', async () => {
  const { body } = await admin.send('POST', `${ns}/events`, newRecord('events', 'Cheese'))
  await admin.send('PUT', `/fr${ns}/events/${body.id}`, { title: 'Fromage' })
  const slugs = ['en', 'fr', 'es'].map(
    async (language) => (await app.get(`/${language}${ns}/events/${body.id}`)).body.slug,
  )
  expect(await Promise.all(slugs)).toEqual(['cheese', 'fromage', 'cheese'])
  const renamed = await admin.send('PUT', `/fr${ns}/events/by-slug/cheese`, { slug: 'le-fromage' })
  expect([renamed.body.id, renamed.body.slug]).toEqual([body.id, 'le-fromage'])
  expect((await app.get(`${ns}/events/by-slug/le-fromage`)).body.slug).toBe('cheese')
  await admin.send('DELETE', `${ns}/events/by-slug/le-fromage`)
  expect((await admin.send('PUT', `${ns}/events/${body.id}`, { status: 'publish' })).body.slug).toBe('cheese')
  expect((await app.get(`/fr${ns}/events/${body.id}`)).body.slug).toBe('le-fromage')
})

it('fields without language change for all languages', async () => {
  const { body } = await admin.send('POST', `${ns}/venues`, { venue: 'Place', city: 'London' })
  await admin.send('PUT', `/fr${ns}/venues/${body.id}`, { city: 'Londres', phone: '1' })
  expect((await app.get(`${ns}/venues/${body.id}`)).body).toMatchObject({ venue: 'Place', city: 'Londres', phone: '1' })
})
