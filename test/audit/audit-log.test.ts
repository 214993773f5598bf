// What administrators read in the audit log.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import type { TestUser } from '../helpers/users.ts'

let app: TestApp
let administrator: TestUser & ApiClient

beforeAll(async () => {
  app = await openTestApp()
  administrator = await app.signIn('administrator')
})
afterAll(() => app?.close())

const fields = `id createdAt action kind databaseId name user { id name role } userId credentialId source requestId
  changes { field language before after }`

async function read(filter: object = {}, args: object = {}, client: ApiClient = administrator, root = '') {
  const document = `query ($filter: AuditLogFilter, $first: Int, $after: String, $last: Int, $before: String) {
    auditLog(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
      nodes { ${fields} } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor startCursor } } }`
  const { body } = await client.graphql(document, { filter, ...args }, root)
  return body
}

interface Entry {
  readonly id: string
  readonly createdAt: string
  readonly action: string
  readonly name: string | null
  readonly changes: readonly object[]
}

const entriesOf = async (filter: object, args: object = { first: 50 }, root = ''): Promise<readonly Entry[]> => {
  const body = await read(filter, args, administrator, root)
  expect(body.errors).toBeUndefined()
  return body.data.auditLog.nodes
}

async function mutate(client: ApiClient, name: string, input: object, selection: string, root = '') {
  const type = name.replace(/^./, (letter) => letter.toUpperCase())
  const document = `mutation ($input: ${type}Input!) { outcome: ${name}(input: $input) { ${selection} userErrors { message } } }`
  const { body } = await client.graphql(document, { input }, root)
  expect(body.errors).toBeUndefined()
  expect(body.data.outcome.userErrors).toEqual([])
  return body.data.outcome
}

test('only administrators may read it', async () => {
  const codes = []
  for (const client of [app, await app.signIn('editor'), await app.signIn('subscriber')]) {
    const { data, errors } = await read({}, {}, client)
    codes.push([data, errors[0].extensions.code])
  }
  expect(codes).toEqual([
    [null, 'UNAUTHENTICATED'],
    [null, 'FORBIDDEN'],
    [null, 'FORBIDDEN'],
  ])
})

test('a change says who, through what, and which fields in which language', async () => {
  const editor = await app.signIn('editor')
  const { venue } = await mutate(editor, 'createVenue', { name: 'Hall' }, 'venue { id databaseId }')
  await mutate(
    editor,
    'updateVenue',
    { id: venue.id, name: 'Salle', website: 'https://hall.test/' },
    'venue { id }',
    '/fr',
  )
  const [updated, created, ...others] = await entriesOf({ records: [venue.id] }, { first: 50 }, '/fr')
  expect(others).toEqual([])
  const actor = {
    ...{ kind: 'VENUE', databaseId: venue.databaseId, name: 'Salle', userId: editor.id, source: 'graphql' },
    user: { name: 'The editor', role: 'EDITOR' },
    credentialId: expect.any(Number),
    requestId: expect.any(String),
  }
  expect(created).toMatchObject({ ...actor, action: 'CREATED', changes: [] })
  expect(updated).toMatchObject({ ...actor, action: 'UPDATED' })
  expect(updated?.changes).toContainEqual({ field: 'name', language: 'fr', before: null, after: 'Salle' })
  expect(updated?.changes).toContainEqual({ field: 'website', language: null, before: '', after: 'https://hall.test/' })
  await editor.send('DELETE', `/cal/events/v1/venues/${venue.databaseId}`)
  expect((await entriesOf({ records: [venue.id], sources: ['rest'] })).map(({ action }: Entry) => action)).toEqual([
    'TRASHED',
  ])
})

test('accounts: roles, credentials without secrets, and deleted users without a name', async () => {
  const input = { login: 'ada', name: 'Ada', email: 'ada@example.org', role: 'EDITOR' }
  const { user } = await mutate(administrator, 'createUser', input, 'user { id databaseId }')
  await mutate(administrator, 'updateUser', { id: user.id, role: 'AUTHOR', email: 'b@example.org' }, 'user { id }')
  const { secret, credential } = await mutate(
    administrator,
    'createApiToken',
    { name: 'Phone', userId: user.id },
    'secret credential { id databaseId }',
  )
  const ada = app.as({ authorization: `Bearer ${secret}` })
  await mutate(ada, 'createVenue', { name: 'Ada was here' }, 'venue { id }')
  await mutate(administrator, 'revokeCredential', { id: credential.id }, 'credential { id }')
  const about = await entriesOf({ records: [user.id] })
  const role = (before: string | null, after: string) => ({ field: 'role', language: null, before, after })
  const token = (revoked: unknown) => ({
    ...{ kind: 'api_token', name: 'Phone', expires_at: null, revoked_at: revoked, public_key: null },
  })
  const field = `credential#${credential.databaseId}`
  expect(about.filter(({ action }: Entry) => action !== 'SIGNED_IN').map(({ changes }: Entry) => changes)).toEqual([
    [{ field, language: null, before: token(null), after: token(expect.any(String)) }],
    [{ field, language: null, before: null, after: token(null) }],
    expect.arrayContaining([role('editor', 'author'), { field: 'email', language: null, before: '***', after: '***' }]),
    [role(null, 'editor')],
  ])
  expect(JSON.stringify(about)).not.toMatch(new RegExp(`${secret}|example\\.org`))
  const [byAda] = await entriesOf({ users: [user.id], kinds: ['VENUE'] })
  expect(byAda).toMatchObject({ user: { name: 'Ada' }, userId: user.databaseId, credentialId: credential.databaseId })
  await mutate(administrator, 'deleteUser', { id: user.id, contentTo: administrator.id }, 'databaseId')
  expect(await entriesOf({ users: [user.databaseId], kinds: ['VENUE'] })).toEqual([{ ...byAda, user: null }])
  const deleted = await entriesOf({ records: [user.id] })
  expect([...new Set(deleted.map(({ name }: Entry) => name))]).toEqual([null])
})

test('filters by time, kind and action combine, and pages follow in both directions', async () => {
  const { tag } = await mutate(administrator, 'createTag', { name: 'Paged' }, 'tag { id }')
  for (const name of ['Two', 'Three', 'Four'])
    await mutate(administrator, 'updateTag', { id: tag.id, name }, 'tag { id }')
  const filter = { records: [tag.id] }
  const all = await entriesOf(filter)
  expect(all.length).toBe(4)
  const ids = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id)
  const first = (await read(filter, { first: 3 })).data.auditLog
  expect([ids(first.nodes), first.pageInfo.hasNextPage]).toEqual([ids(all).slice(0, 3), true])
  const second = (await read(filter, { first: 3, after: first.pageInfo.endCursor })).data.auditLog
  expect([ids(second.nodes), second.pageInfo.hasNextPage]).toEqual([ids(all).slice(3), false])
  const back = (await read(filter, { last: 2, before: second.pageInfo.startCursor })).data.auditLog
  expect([ids(back.nodes), back.pageInfo.hasPreviousPage]).toEqual([ids(all).slice(1, 3), true])
  const [newest] = all
  expect(await entriesOf({ ...filter, actions: ['CREATED'], kinds: ['TAG'] })).toEqual(all.slice(3))
  expect(await entriesOf({ ...filter, kinds: ['VENUE'] })).toEqual([])
  expect(ids(await entriesOf({ ...filter, from: newest?.createdAt }))).toContain(newest?.id)
  expect(ids(await entriesOf({ ...filter, to: newest?.createdAt }))).not.toContain(newest?.id)
})

test('invalid cursors, IDs and long lists are refused', async () => {
  const { data } = await read({}, { first: 1 })
  const [order, time] = JSON.parse(Buffer.from(data.auditLog.edges[0].cursor, 'base64url').toString())
  const cursor = Buffer.from(JSON.stringify([order, time, 'x'])).toString('base64url')
  for (const [filter, args, message] of [
    [{}, { first: 1, after: 'x' }, /^after must be a cursor/],
    [{}, { first: 1, after: cursor }, /^after must be a cursor/],
    [{ records: ['12'] }, {}, /^records must be global IDs/],
    [{ users: ['nobody'] }, {}, /^Invalid ID/],
    [{ sources: Array(201).fill('x') }, {}, /^sources can have at most 200 items/],
  ] as const) {
    const { errors } = await read(filter, args)
    expect([errors?.[0].message, errors?.[0].extensions.code]).toEqual([expect.stringMatching(message), 'BAD_INPUT'])
  }
})

test('it has the changes of webhooks, without their secrets', async () => {
  const { webhook } = await mutate(
    administrator,
    'createWebhook',
    { url: 'https://hooks.test/changes' },
    'webhook { databaseId }',
  )
  const [entry] = await entriesOf({ kinds: ['WEBHOOK'] })
  expect(entry).toMatchObject({ action: 'CREATED', kind: 'WEBHOOK', databaseId: webhook.databaseId, name: null })
  expect(JSON.stringify(entry)).not.toContain('whsec_')
  expect((await entriesOf({})).length).toBeGreaterThan(0)
})
