// The signed-in user: what they read of themselves, and what they may change.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent } from '../helpers/make.ts'
import { roles } from '../helpers/permissions.ts'

let app: TestApp
let author: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  author = await app.signIn('author')
})

const account = 'id databaseId name login email role rights locale'
const updateViewer = `mutation ($input: UpdateViewerInput!) {
  updateViewer(input: $input) { user { ${account} } userErrors { code path message } } }`

async function change(client: Pick<TestApp, 'graphql'>, input: object) {
  const { body } = await client.graphql(updateViewer, { input })
  expect(body.errors).toBeUndefined()
  return body.data.updateViewer
}

test('viewer is the user of the field user, with the same global ID', async () => {
  const { body } = await author.graphql(
    `query ($id: ID!) { viewer { ${account} } node(id: $id) { ... on User { ${account} } } }`,
    {
      id: btoa(`User:${author.id}`),
    },
  )
  const { viewer, node } = body.data
  expect(node).toEqual(viewer)
  expect(viewer).toMatchObject({ id: btoa(`User:${author.id}`), databaseId: author.id, role: 'AUTHOR', locale: null })
  expect(viewer.rights).toEqual(['WRITE', 'PUBLISH', 'UPLOAD', 'MANAGE_CATEGORIES'])
})

test('rights and locale are shown to the user and administrators only', async () => {
  await change(author, { locale: 'FR' })
  const id = await makeEvent(app.db, 'Party', { authorId: author.id })
  const query = `{ event(id: ${id}) { author { rights locale } } }`
  const own = { rights: ['WRITE', 'PUBLISH', 'UPLOAD', 'MANAGE_CATEGORIES'], locale: 'FR' }
  for (const [client, expected] of [
    [author, own],
    [await app.signIn('administrator'), own],
    [await app.signIn('editor'), { rights: null, locale: null }],
    [app, { rights: null, locale: null }],
  ] as const) {
    expect((await client.graphql(query)).body.data.event.author).toEqual(expected)
  }
})

describe('updateViewer', () => {
  test.each(roles.filter((role) => role !== 'visitor'))(
    'changes the name and the language of a signed-in %s',
    async (role) => {
      const member = await app.signIn(role)
      const others = await app.db.user.findMany({ where: { id: { not: member.id } } })
      const { user, userErrors } = await change(member, { name: ' Zoé  B ', locale: 'FR' })
      expect(userErrors).toEqual([])
      expect(user).toMatchObject({ databaseId: member.id, name: 'Zoé B', locale: 'FR', login: member.login })
      expect((await change(member, {})).user).toEqual(user)
      expect((await change(member, { name: null, locale: null })).user).toEqual({ ...user, locale: null })
      expect(await app.db.user.findMany({ where: { id: { not: member.id } } })).toEqual(others)
    },
  )

  test('requires a credential', async () => {
    const before = await app.db.user.findMany()
    expect(await change(app, { name: 'Nobody' })).toMatchObject({
      user: null,
      userErrors: [{ code: 'UNAUTHENTICATED' }],
    })
    expect(await app.db.user.findMany()).toEqual(before)
  })

  test.each(['', ' \n', 'x'.repeat(201)])('rejects the name %j and stores nothing of the change', async (name) => {
    const { user, userErrors } = await change(author, { name, locale: 'FR' })
    expect(user).toBeNull()
    expect(userErrors).toEqual([{ code: 'BAD_INPUT', path: ['name'], message: 'name must have 1 to 200 characters.' }])
    expect((await author.graphql('{ viewer { name locale } }')).body.data.viewer).toEqual({
      name: 'The author',
      locale: null,
    })
  })

  test.each([{ locale: 'DE' }, { role: 'ADMINISTRATOR' }, { login: 'root' }, { id: 1 }])(
    'does not accept %j',
    async (input) => {
      const { status, body } = await author.graphql(updateViewer, { input })
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_INPUT'])
      expect(body.errors[0].extensions.path).toEqual(Object.keys(input))
    },
  )

  test('changes the author in cached responses to visitors', async () => {
    const id = await makeEvent(app.db, 'Party', { authorId: author.id })
    const query = `{ event(id: ${id}) { author { name } } }`
    const nameOf = async () => (await app.graphql(query)).body.data.event.author.name
    expect([await nameOf(), await nameOf()]).toEqual(['The author', 'The author'])
    await change(author, { name: 'Renamed' })
    expect(await nameOf()).toBe('Renamed')
  })
})

test('a language that the site no longer has is null, and stays stored', async () => {
  await change(author, { locale: 'FR' })
  const english = await serve(app, { LANGUAGES: 'en' })
  const { body } = await english.as(author).graphql('{ viewer { locale } }')
  await english.app.close()
  expect(body).toEqual({ data: { viewer: { locale: null } } })
  expect((await author.graphql('{ viewer { locale } }')).body.data.viewer.locale).toBe('FR')
})
