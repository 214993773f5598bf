// Permissions of REST writes (contract c.10, c.11, d.6, QUIRK-24, QUIRK-40), by every method and address.
// test/permissions-writing.test.ts has every role, owner and status.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../src/generated/prisma/enums.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { type Kind, kinds, nameField, newRecord, ns, posts } from '../helpers/rest.ts'

const roles = ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const
type Who = Role | 'visitor'
/** Who may change each record, some of them, and none. */
const some: readonly Who[] = ['editor', 'author', 'visitor']

interface Caller extends ApiClient {
  readonly id: number
}

let app: TestApp
const users = new Map<Who, Caller>()
beforeAll(async () => {
  app = await openTestApp()
  users.set('visitor', { ...app, id: 0 })
  for (const role of roles) users.set(role, await app.signIn(role))
})
afterAll(() => app.close())

const as = (who: Who): Caller => users.get(who) ?? { ...app, id: 0 }
const rejected = (who: Who) => [who === 'visitor' ? 401 : 403, 'rest_forbidden']
const code = ({ status, body }: Awaited<ReturnType<ApiClient['get']>>) => (status < 300 ? status : [status, body.code])

let created = 0
const make = (
  kind: Kind,
  columns: { authorId?: number | null; status?: 'draft' | 'publish' | 'private' | 'future' } = {},
) => {
  const name = `Thing ${++created}`
  if (kind === 'events') return makeEvent(app.db, name, columns)
  if (kind === 'venues') return makeVenue(app.db, name, columns)
  if (kind === 'organizers') return makeOrganizer(app.db, name, columns)
  return kind === 'categories' ? makeCategory(app.db, name) : makeTag(app.db, name)
}

const mayChange = (who: Who, kind: Kind) => who === 'editor' || (who === 'author' && kind === 'categories')

describe.each(kinds)('%s', (kind) => {
  it.each(some)('are changed and deleted, when others wrote them, by those who may: %s', async (who) => {
    const id = await make(kind)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = code(await as(who).send(method, `${ns}/${kind}/${id}`, { [nameField[kind]]: 'New' }))
      expect(response, method).toEqual(mayChange(who, kind) ? 200 : rejected(who))
    }
  })
})

describe.each(posts)('%s', (kind) => {
  it.each(some)('by slug are as protected as by ID: %s', async (who) => {
    const slug = `thing-${created + 1}`
    await make(kind)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = code(await as(who).send(method, `${ns}/${kind}/by-slug/${slug}`, { [nameField[kind]]: 'New' }))
      expect(response, method).toEqual(mayChange(who, kind) ? 200 : rejected(who))
    }
  })

  it.each([
    ['contributor', 'draft', true],
    ['contributor', 'publish', false],
    ['contributor', 'future', false],
    ['author', 'draft', true],
    ['author', 'publish', true],
    ['author', 'private', true],
    ['subscriber', 'draft', true],
  ] as const)('a %s changes and deletes an own one in status %s: %s', async (who, status, may) => {
    const expected = may && who !== 'subscriber' ? 200 : [403, 'rest_forbidden']
    const id = await make(kind, { authorId: as(who).id, status })
    expect(code(await as(who).send('PUT', `${ns}/${kind}/${id}`, { description: 'x' }))).toEqual(expected)
    expect(code(await as(who).send('DELETE', `${ns}/${kind}/${id}`))).toEqual(expected)
  })

  it('records without author can be changed by users who may edit others', async () => {
    const id = await make(kind, { authorId: null })
    expect(code(await as('author').send('PUT', `${ns}/${kind}/${id}`, {}))).toEqual([403, 'rest_forbidden'])
    expect(code(await as('editor').send('PUT', `${ns}/${kind}/${id}`, {}))).toBe(200)
  })

  it('a draft of a contributor is hidden from visitors and other contributors', async () => {
    const id = await make(kind, { authorId: as('contributor').id, status: 'draft' })
    const other = await app.signIn('contributor')
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(code(await app.send(method, `${ns}/${kind}/${id}`, {}))).toEqual([401, 'rest_forbidden'])
      expect(code(await other.send(method, `${ns}/${kind}/${id}`, {}))).toEqual([403, 'rest_forbidden'])
    }
  })

  it('the author is the caller, or the user that an editor sets', async () => {
    const [author, editor] = [as('author'), as('editor')]
    const own = await author.send('POST', `${ns}/${kind}`, newRecord(kind, 'Own'))
    expect(own.body.author).toBe(String(author.id))
    const fields = { ...newRecord(kind, 'Given'), author: String(author.id) }
    expect((await editor.send('POST', `${ns}/${kind}`, fields)).body.author).toBe(String(author.id))
    expect((await author.send('PUT', `${ns}/${kind}/${own.body.id}`, { author: author.id })).status).toBe(200)
    const stolen = await author.send('PUT', `${ns}/${kind}/${own.body.id}`, { author: editor.id })
    expect(code(stolen)).toEqual([403, 'rest_forbidden'])
    const forced = await author.send('POST', `${ns}/${kind}`, { ...newRecord(kind, 'Forced'), author: editor.id })
    expect(code(forced)).toEqual([403, 'rest_forbidden'])
  })
})

it('a 401 has WWW-Authenticate, and responses are private', async () => {
  const errorResponse = await app.send('POST', `${ns}/events`, newRecord('events', 'X'))
  expect(errorResponse.headers['www-authenticate']).toContain('Basic')
  const created = await as('administrator').send('POST', `${ns}/events`, newRecord('events', 'X'))
  expect(created.headers).toMatchObject({ 'cache-control': 'private, no-store', 'content-language': 'en' })
  expect(created.headers.location).toBeUndefined()
})
