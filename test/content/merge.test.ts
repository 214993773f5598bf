// Merging duplicates: events, IDs, slugs and imports lead to the kept record; who may merge, and what is suggested.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { pluralOf } from '../helpers/cached-content.ts'
import { truncate } from '../helpers/db.ts'
import { ns } from '../helpers/rest.ts'
import { write } from '../helpers/revisions.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  await truncate(app.db)
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const kinds = { venue: 'Venue', organizer: 'Organizer', category: 'Category', tag: 'Tag' } as const
type Kind = keyof typeof kinds
const create = (kind: Kind, input: object) => write(editor, `create${kinds[kind]}`, input)
const times = { startsLocal: '2026-12-01T19:00:00', endsLocal: '2026-12-01T21:00:00', timeZone: 'Europe/Paris' }
const createEvent = (kind: Kind, ids: readonly number[]) =>
  write(editor, 'createEvent', { title: 'Jazz', ...times, [pluralOf[kind]]: ids.map((id) => ({ id: String(id) })) })

async function merge(kind: Kind, id: unknown, mergedIds: readonly unknown[], client: ApiClient = editor) {
  const name = `merge${kinds[kind].replace('Category', 'Categorie')}s`
  const { body } = await client.graphql(
    `mutation ($input: MergeInput!) { merged: ${name}(input: $input) { ${kind} { databaseId } userErrors { code message path } } }`,
    { input: { id: String(id), mergedIds: mergedIds.map(String) } },
  )
  expect(body.errors).toBeUndefined()
  return body.data.merged as { readonly userErrors: readonly { code: string; message: string }[] }
}

const linkedOf = async (kind: Kind, event: number) => {
  const { body } = await app.graphql(`{ event(id: ${event}) { linked: ${pluralOf[kind]} { databaseId } } }`)
  return body.data.event.linked.map(({ databaseId }: { databaseId: number }) => databaseId)
}

describe.each(Object.keys(kinds) as Kind[])('%s', (kind) => {
  test('events, IDs and slugs of the merged records lead to the kept one, also after an update of it', async () => {
    const [kept, second, third] = [
      await create(kind, { name: 'Town hall' }),
      await create(kind, { name: 'Hall of the town' }),
      await create(kind, { name: 'The hall' }),
    ]
    const both = await createEvent(kind, [second, kept])
    const other = await create(kind, { name: 'Pier' })
    const several = await createEvent(kind, [third, other, kept])
    const one = await createEvent(kind, [third])
    expect(await merge(kind, second, [third])).toMatchObject({ userErrors: [] })
    expect(await merge(kind, kept, [second])).toMatchObject({ [kind]: { databaseId: kept }, userErrors: [] })
    expect(await linkedOf(kind, both)).toEqual([kept])
    expect(await linkedOf(kind, one)).toEqual([kept])
    expect((await linkedOf(kind, several)).toSorted()).toEqual([kept, other].toSorted())
    if (kind === 'venue' || kind === 'organizer') expect((await linkedOf(kind, several))[0]).toBe(kept)
    await write(editor, `update${kinds[kind]}`, { id: String(kept), name: 'Guildhall' })
    for (const argument of [`id: ${second}`, `id: ${third}`, 'slug: "hall-of-the-town"', 'slug: "the-hall"']) {
      const { body } = await app.graphql(`{ ${kind}(${argument}) { databaseId name } }`)
      expect(body.data).toEqual({ [kind]: { databaseId: kept, name: 'Guildhall' } })
    }
    const ids = [third, kept, second].map((id) => btoa(`${kinds[kind]}:${id}`))
    const nodes = await app.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })
    expect(nodes.body).toEqual({ data: { nodes: [ids[1], ids[1], ids[1]].map((id) => ({ id })) } })
    const filtered = await app.graphql(`{ events(filter: { ${pluralOf[kind]}: ["${third}"] }) { totalCount } }`)
    expect(filtered.body.data.events.totalCount).toBe(3)
    expect((await app.get(`${ns}/${pluralOf[kind]}/${third}`)).body).toMatchObject({ id: kept })
    const path = { venue: '/venue/', organizer: '/organizer/', category: '/events/category/', tag: '/tag/' }[kind]
    const page = await app.get(`${path}the-hall/`)
    expect([page.status, page.headers.location]).toEqual([301, expect.stringContaining('/town-hall/')])
    const linked = await createEvent(kind, [third])
    expect(await linkedOf(kind, linked)).toEqual([kept])
    expect((await createSame(kind)).slug).toBe('the-hall-2')
  })

  test('the log has the events that changed, and into what a record was merged', async () => {
    const administrator = await app.signIn('administrator')
    const [kept, merged] = [await create(kind, { name: 'A' }), await create(kind, { name: 'B' })]
    const event = await createEvent(kind, [merged])
    await merge(kind, kept, [merged])
    const { body } = await administrator.graphql(
      '{ auditLog(first: 20) { nodes { kind databaseId action user { role } changes { field before after } } } }',
    )
    const entries = body.data.auditLog.nodes as {
      kind: string
      databaseId: number
      action: string
      changes: object[]
    }[]
    const of = (id: number) =>
      entries.filter((entry) => entry.databaseId === id && entry.kind !== 'USER' && entry.action !== 'CREATED')
    expect(of(merged)).toMatchObject([{ action: 'DELETED' }])
    expect(of(merged)[0]?.changes).toContainEqual({ field: 'merged_into', before: null, after: kept })
    expect(
      of(event)[0]
        ?.changes.map((change) => (change as { field: string }).field)
        .toSorted(),
    ).toEqual([`${kind}#${kept}`, `${kind}#${merged}`].toSorted())
  })

  test('refuses unknown records, the record itself, too many, and those who may not delete', async () => {
    const [kept, merged] = [await create(kind, { name: 'A' }), await create(kind, { name: 'B' })]
    const code = async (...args: Parameters<typeof merge>) =>
      (await merge(...args)).userErrors.map((error) => error.code)
    expect(await code(kind, kept, [kept])).toEqual(['BAD_INPUT'])
    expect(await code(kind, kept, [])).toEqual(['BAD_INPUT'])
    expect(
      await code(
        kind,
        kept,
        Array.from({ length: 21 }, (_, index) => index + 1),
      ),
    ).toEqual(['BAD_INPUT'])
    expect(await code(kind, kept, [987654])).toEqual(['NOT_FOUND'])
    expect(await code(kind, kept, [merged], app)).toEqual(['UNAUTHENTICATED'])
    expect(await code(kind, kept, [merged], await app.signIn('contributor'))).toEqual(['FORBIDDEN'])
    expect(await linkedOf(kind, await createEvent(kind, [merged]))).toEqual([merged])
  })

  test('suggests similar names in any language, the most similar first, and no others', async () => {
    await create(kind, { name: 'Médiathèque Simone Veil' })
    await create(kind, { name: 'Mediathek', translations: [{ language: 'FR', name: 'Mediatheque Simone Veil' }] })
    await create(kind, { name: 'Mediathèque S. Veil' })
    await create(kind, { name: 'Swimming pool' })
    const query = `query ($kind: MergedKind!) { duplicates(kind: $kind) { similarity records { ... on Translatable { translations { name } } } } }`
    const { body } = await editor.graphql(query, { kind: kind.toUpperCase() })
    expect(body.errors).toBeUndefined()
    const pairs = body.data.duplicates.map(({ similarity, records }: Suggestion) => [
      similarity === 1,
      ...records.map(({ translations }) => translations[0]?.name),
    ])
    expect(pairs[0]).toEqual([true, 'Médiathèque Simone Veil', 'Mediathek'])
    expect(pairs.slice(1).every(([same]: [boolean]) => !same)).toBe(true)
    expect(JSON.stringify(pairs)).toContain('Mediathèque S. Veil')
    expect(JSON.stringify(pairs)).not.toContain('Swimming pool')
    const visitor = await app.graphql(query, { kind: kind.toUpperCase() })
    expect(visitor.body.errors[0].extensions.code).toBe('UNAUTHENTICATED')
  })
})

interface Suggestion {
  readonly similarity: number
  readonly records: readonly { readonly city: string; readonly translations: readonly { readonly name: string }[] }[]
}

async function createSame(kind: Kind): Promise<{ slug: string }> {
  const id = await create(kind, { name: 'The hall' })
  const { body } = await editor.graphql(`{ ${kind}(id: ${id}) { slug } }`)
  return body.data[kind]
}

test('children of a merged category are those of the kept one, unless it is below', async () => {
  const kept = await create('category', { name: 'Music' })
  const merged = await create('category', { name: 'Musics' })
  const child = await create('category', { name: 'Jazz', parentId: String(merged) })
  await create('category', { name: 'Bebop', parentId: String(child) })
  expect((await merge('category', child, [merged])).userErrors).toMatchObject([{ code: 'BAD_INPUT' }])
  await merge('category', kept, [merged])
  const { body } = await app.graphql(
    `{ category(id: ${kept}) { children { nodes { name children { nodes { name } } } } } }`,
  )
  expect(body.data.category.children.nodes).toEqual([{ name: 'Jazz', children: { nodes: [{ name: 'Bebop' }] } }])
})

test('an import links to the kept record, and a venue in the trash is not merged', async () => {
  const [kept, merged] = [await create('venue', { name: 'A' }), await create('venue', { name: 'B' })]
  const row = {
    site: 'https://old.test/',
    kind: 'venue',
    sourceId: 5n,
    recordVersion: '1',
    digest: '',
    isComplete: true,
  }
  await app.db.importedRecord.create({ data: { ...row, recordId: merged } })
  await merge('venue', kept, [merged])
  expect(await app.db.importedRecord.findMany()).toMatchObject([{ recordId: kept, isAdopted: true }])
  const trashed = await create('venue', { name: 'C', status: 'TRASH' })
  expect((await merge('venue', kept, [trashed])).userErrors).toMatchObject([{ code: 'TRASHED' }])
})

test('venues of the same name are suggested if nothing says that they are two', async () => {
  const name = 'Salle des fêtes'
  const paris = { latitude: 48.8566, longitude: 2.3522 }
  await create('venue', { name, city: 'Lyon' })
  await create('venue', { name, city: 'Paris', coordinates: paris })
  await create('venue', { name, city: 'Paris', coordinates: { latitude: 48.89, longitude: 2.3522 } })
  await create('venue', { name: 'Salle de fete', coordinates: { latitude: 48.8567, longitude: 2.3523 } })
  const { body } = await editor.graphql('{ duplicates(kind: VENUE) { records { ... on Venue { name city } } } }')
  const cities = body.data.duplicates.map(({ records }: Suggestion) => records.map(({ city }) => city))
  expect(cities).toContainEqual(['Paris', ''])
  expect(cities).not.toContainEqual(['Paris', 'Paris'])
  expect(cities).not.toContainEqual(['Lyon', 'Paris'])
})
