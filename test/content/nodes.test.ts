// The queries `node` and `nodes` for users, images and credentials.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/generated/prisma/enums.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeImage, makeVenue } from '../helpers/make.ts'

let app: TestApp
const clients = {} as Record<Role | 'visitor', ApiClient & { id?: number }>
const ids = {} as Record<
  'ofEvent' | 'ofDraft' | 'idle' | 'shown' | 'locked' | 'ofDraftImage' | 'ownImage' | 'unused' | 'credential',
  number
>

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  clients.visitor = app
  for (const role of ['subscriber', 'author', 'editor', 'administrator'] as const) {
    clients[role] = await app.signIn(role)
  }
  const user = async (name: string) =>
    (await db.user.create({ data: { login: name, name, email: `${name}@example.test`, role: 'author' } })).id
  ids.ofEvent = await user('Ada')
  ids.ofDraft = await user('Bob')
  ids.idle = await user('Cid')
  ids.shown = await makeImage(db, 'https://images.test/shown.jpg')
  ids.locked = await makeImage(db, 'https://images.test/locked.jpg')
  ids.ofDraftImage = await makeImage(db, 'https://images.test/draft.jpg')
  ids.ownImage = await makeImage(db, 'https://images.test/own.jpg')
  ids.unused = await makeImage(db, 'https://images.test/unused.jpg')
  await db.image.update({ where: { id: ids.ownImage }, data: { authorId: clients.author.id ?? null } })
  await makeEvent(db, 'Public', { authorId: ids.ofEvent, imageId: ids.shown })
  await makeEvent(db, 'Locked', { passwordKey: 'key', imageId: ids.locked })
  await makeVenue(db, 'Draft', { status: 'draft', authorId: ids.ofDraft, imageId: ids.ofDraftImage })
  ids.credential = (await db.credential.findFirstOrThrow({ where: { userId: clients.author.id ?? 0 } })).id
})
afterAll(() => app?.close())

const read = async (role: Role | 'visitor', type: string, id: number, selection: string) => {
  const query = `query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { ${selection} } } }`
  const { body } = await clients[role].graphql(query, { id: btoa(`${type}:${id}`) })
  return body.errors ? [body.data, body.errors[0].path, body.errors[0].extensions.code] : body.data.node
}
const unknown = [{ node: null }, ['node'], 'NOT_FOUND']

describe('a user', () => {
  test.each([
    ['visitor', 'ofEvent', true],
    ['visitor', 'ofDraft', false],
    ['visitor', 'idle', false],
    ['subscriber', 'ofEvent', true],
    ['subscriber', 'ofDraft', false],
    ['author', 'idle', false],
    ['editor', 'ofDraft', true],
    ['editor', 'idle', false],
  ] as const)(
    'is shown by name to a %s only as the author of a readable record: %s, %s',
    async (role, who, isShown) => {
      const id = ids[who]
      const name = { ofEvent: 'Ada', ofDraft: 'Bob', idle: 'Cid' }[who]
      const user = {
        __typename: 'User',
        id: btoa(`User:${id}`),
        databaseId: id,
        name,
        login: null,
        email: null,
        role: null,
      }
      const selection = 'databaseId name login email role credentials { name }'
      expect(await read(role, 'User', id, selection)).toEqual(isShown ? { ...user, credentials: null } : unknown)
    },
  )

  test('reads the own account, and administrators read every account', async () => {
    const own = clients.author.id ?? 0
    expect(await read('author', 'User', own, 'role')).toMatchObject({ role: 'AUTHOR' })
    expect(await read('administrator', 'User', own, 'role')).toMatchObject({ role: 'AUTHOR' })
    expect(await read('administrator', 'User', ids.idle, 'email')).toMatchObject({ email: 'Cid@example.test' })
    expect(await read('administrator', 'User', 2_000_000_000, 'email')).toEqual(unknown)
  })

  test('has the same ID as the author of a record', async () => {
    const { body } = await app.graphql('{ events { nodes { title author { id } image { id } } } }')
    const event = body.data.events.nodes.find(({ title }: { title: string }) => title === 'Public')
    expect(event).toMatchObject({
      author: { id: btoa(`User:${ids.ofEvent}`) },
      image: { id: btoa(`Image:${ids.shown}`) },
    })
  })
})

describe('an image', () => {
  test.each([
    ['visitor', 'shown', true],
    ['visitor', 'unused', false],
    ['subscriber', 'unused', false],
    ['author', 'unused', true],
    ['visitor', 'locked', false],
    ['visitor', 'ofDraftImage', false],
    ['visitor', 'ownImage', false],
    ['subscriber', 'ofDraftImage', false],
    ['author', 'ownImage', true],
    ['author', 'ofDraftImage', false],
    ['editor', 'ofDraftImage', true],
    ['editor', 'locked', true],
  ] as const)('is shown to a %s where they may see or use it: %s, %s', async (role, which, isShown) => {
    const image = await read(role, 'Image', ids[which], 'databaseId url')
    expect(image).toEqual(
      isShown
        ? {
            ...{ __typename: 'Image', id: btoa(`Image:${ids[which]}`), databaseId: ids[which] },
            url: expect.stringMatching(/^https:\/\/images\.test\/\w+\.jpg$/),
          }
        : unknown,
    )
  })
})

test.each([
  ['visitor', false],
  ['subscriber', false],
  ['author', true],
  ['administrator', true],
] as const)('a credential is shown to a %s: %s', async (role, isShown) => {
  const credential = await read(role, 'Credential', ids.credential, 'name')
  const expected = { __typename: 'Credential', id: btoa(`Credential:${ids.credential}`), name: 'test' }
  expect(credential).toEqual(isShown ? expected : unknown)
})
