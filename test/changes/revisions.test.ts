// What revisions show of each change, and to whom; and what restoring one of them writes.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loggedFields } from '../../src/calendar/lifecycle/logged-fields.ts'
import { type ApiClient, now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { restoreRevision, revisionsOf, stateOf, write } from '../helpers/revisions.ts'

let app: TestApp
let editor: ApiClient & { readonly id: number }
let author: ApiClient & { readonly id: number }

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
  author = await app.signIn('author')
})
afterAll(() => app?.close())
beforeEach(() => {
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
})

const times = { startsLocal: '2026-12-01T19:00:00', endsLocal: '2026-12-01T21:00:00', timeZone: 'Europe/Paris' }
const create = (input: object = {}, client: ApiClient = editor): Promise<number> =>
  write(client, 'createEvent', { title: 'Jazz', ...times, ...input })
const update = (id: number, input: object, client: ApiClient = editor) =>
  write(client, 'updateEvent', { id: String(id), ...input })

test('shows fields by language, who changed them and by what, newest first', async () => {
  const venues = [await makeVenue(app.db, 'Hall'), await makeVenue(app.db, 'Loft')]
  const id = await create({ translations: [{ language: 'FR', name: 'Le jazz' }], venues: [{ id: String(venues[0]) }] })
  await update(id, {
    translations: [{ language: 'FR', name: 'Nuit du jazz' }],
    venues: [{ id: String(venues[1]) }],
    startsLocal: '2026-12-01T18:00:00',
    status: 'DRAFT',
    tickets: [{ name: 'Adult', price: '12.50', currency: 'EUR' }],
    cost: ['12.50 EUR'],
  })
  await write(editor, 'trashEvent', { id: String(id) })
  await app.db.event.update({ where: { id }, data: { website: 'https://example.org/' } })
  const revisions = await revisionsOf(editor, 'event', id)
  expect(revisions.map(({ action, source, user }) => [action, source, user?.name])).toEqual([
    ['UPDATED', null, undefined],
    ['TRASHED', 'graphql', 'The editor'],
    ['UPDATED', 'graphql', 'The editor'],
    ['CREATED', 'graphql', 'The editor'],
  ])
  expect(revisions[0]?.changes).toEqual([
    { field: 'website', language: null, before: null, after: 'https://example.org/' },
  ])
  expect(revisions[1]?.changes).toEqual([{ field: 'status', language: null, before: 'DRAFT', after: 'TRASH' }])
  const ticket = { name: 'Adult', price: '12.50', currency: 'EUR', capacity: null, salesStart: null, salesEnd: null }
  expect(revisions[2]?.changes).toEqual([
    { field: 'costEntries', language: null, before: [], after: ['12.50 EUR'] },
    { field: 'startsLocal', language: null, before: '2026-12-01T19:00:00', after: '2026-12-01T18:00:00' },
    { field: 'status', language: null, before: 'PUBLISHED', after: 'DRAFT' },
    { field: 'tickets', language: null, before: [], after: [ticket] },
    { field: 'title', language: 'FR', before: 'Le jazz', after: 'Nuit du jazz' },
    { field: 'venues', language: null, before: [venues[0]], after: [venues[1]] },
  ])
  expect(revisions[3]?.changes).toEqual(
    expect.arrayContaining([
      { field: 'author', language: null, before: null, after: editor.id },
      { field: 'startsLocal', language: null, before: null, after: '2026-12-01T19:00:00' },
      { field: 'title', language: 'EN', before: null, after: 'Jazz' },
      { field: 'title', language: 'FR', before: null, after: 'Le jazz' },
      { field: 'slug', language: 'FR', before: null, after: 'le-jazz' },
      { field: 'venues', language: null, before: [], after: [venues[0]] },
    ]),
  )
  expect(revisions[3]?.changes.map(({ field }) => field)).not.toContain('startsAt')
})

test('long texts are stored once, and shown before and after each change, also of a deleted record', async () => {
  const [one, two, three] = ['One', 'Two', 'Three'].map((word) => `<p>${`${word} `.repeat(400)}</p>`)
  const id = await create({ description: one })
  for (const description of [two, 'Short', three]) await update(id, { description })
  const shown = (changes: readonly { field: string; before: unknown; after: unknown }[]) =>
    changes.flatMap(({ field, before, after }) => (field === 'description' ? [[before, after]] : []))
  const expected = [
    ['Short', three],
    [two, 'Short'],
    [one, two],
  ]
  const revisions = await revisionsOf(editor, 'event', id)
  expect(revisions.slice(0, -1).flatMap(({ changes }) => shown(changes))).toEqual(expected)
  await restoreRevision(editor, { kind: 'EVENT', id: String(id), revisionId: revisions[2]?.id })
  expect((await revisionsOf(editor, 'event', id)).flatMap(({ changes }) => shown(changes))[0]).toEqual([three, two])
  const { rows } = await app.database.pool.query(
    'SELECT sum(length(fields::text))::int AS size FROM change WHERE record_id = $1',
    [id],
  )
  expect(rows[0].size).toBeLessThan(5 * 2000)
  await write(await app.signIn('administrator'), 'deleteEvent', { id: String(id) })
  const administrator = await app.signIn('administrator')
  const { body } = await administrator.graphql(
    `{ auditLog(first: 3, filter: { kinds: [EVENT] }) { nodes { changes { field before after } } } }`,
  )
  expect(body.errors).toBeUndefined()
  const audited = body.data.auditLog.nodes.flatMap(
    ({ changes }: { changes: { field: string; before: unknown; after: unknown }[] }) => shown(changes),
  )
  expect(audited).toEqual([
    [two, null],
    [three, two],
    ['Short', three],
  ])
})

test('is paged by cursors', async () => {
  const id = await create()
  for (const title of ['One', 'Two', 'Three']) await update(id, { title })
  const titles: unknown[] = []
  let after: string | null = null
  do {
    const { body } = await editor.graphql(
      `query ($id: ID!, $after: String) { event(id: $id) { revisions(first: 2, after: $after) {
        pageInfo { hasNextPage endCursor } nodes { changes { field after } } } } }`,
      { id: String(id), after },
    )
    const { nodes, pageInfo } = body.data.event.revisions
    titles.push(
      ...nodes.map(
        ({ changes }: { changes: { field: string; after: unknown }[] }) =>
          changes.find(({ field }) => field === 'title')?.after,
      ),
    )
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after)
  expect(titles).toEqual(['Three', 'Two', 'One', 'Jazz'])
  const { body } = await editor.graphql(`{ event(id: ${id}) { revisions(after: "x") { nodes { id } } } }`)
  expect(body.errors[0].extensions.code).toBe('BAD_INPUT')
})

test('links that were made in the transaction of another new event', async () => {
  const { db } = app
  const [id, tagId] = [await create(), await makeTag(db, 'midnight')]
  const select = {
    ...{ status: true, publishedAt: true, modifiedAt: true, originalLanguage: true },
    ...{ startsAt: true, endsAt: true, startsLocal: true, endsLocal: true, timeZone: true },
  }
  const data = await db.event.findUniqueOrThrow({ where: { id }, select })
  const [{ id: added }] = await db.$transaction([
    db.event.create({ data }),
    db.contentTag.create({ data: { contentId: id, tagId } }),
  ])
  expect((await revisionsOf(editor, 'event', id)).map(({ changes }) => changes)[0]).toEqual([
    { field: 'tags', language: null, before: [], after: [tagId] },
  ])
  expect((await revisionsOf(editor, 'event', added)).map(({ action }) => action)).toEqual(['CREATED'])
})

test('are only for those who may update the record', async () => {
  const [own, other] = [await create({}, author), await create()]
  const shown = await revisionsOf(author, 'event', own)
  expect(shown).toHaveLength(1)
  const query = `{ event(id: ${other}) { title revisions { nodes { id } } } tag(slug: "private") { revisions { nodes { id } } } }`
  await write(editor, 'createTag', { name: 'private' })
  for (const client of [app, author]) {
    const { body } = await client.graphql(query)
    expect(body.data).toEqual({ event: { title: 'Jazz', revisions: null }, tag: { revisions: null } })
    expect(body.errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
      'FORBIDDEN',
      'FORBIDDEN',
    ])
  }
  const [revision] = await revisionsOf(editor, 'event', other)
  const refused = await restoreRevision(author, { kind: 'EVENT', id: String(other), revisionId: revision?.id })
  expect(refused.userErrors).toMatchObject([{ code: 'FORBIDDEN' }])
  const visitor = await restoreRevision(app, { kind: 'EVENT', id: String(other), revisionId: revision?.id })
  expect(visitor.userErrors).toMatchObject([{ code: 'UNAUTHENTICATED' }])
  const foreign = await restoreRevision(author, { kind: 'EVENT', id: String(own), revisionId: revision?.id })
  expect(foreign.userErrors).toMatchObject([{ code: 'BAD_INPUT', path: ['revisionId'] }])
})

test('do not show links to records that the author may not see', async () => {
  const id = await create({}, author)
  const [hidden, shown] = [await makeVenue(app.db, 'Secret', { status: 'draft' }), await makeVenue(app.db, 'Hall')]
  const image = await makeImage(app.db)
  await update(id, { venues: [{ id: String(hidden) }, { id: String(shown) }] })
  await app.db.image.update({ where: { id: image }, data: { authorId: editor.id } })
  await update(id, { imageId: String(image) })
  await update(id, { imageId: null })
  const venuesOf = async (client: ApiClient) =>
    (await revisionsOf(client, 'event', id)).flatMap(({ changes }) => changes).filter(({ field }) => field === 'venues')
  expect(await venuesOf(author)).toMatchObject([{ before: [], after: [shown] }])
  expect(await venuesOf(editor)).toMatchObject([{ before: [], after: [hidden, shown] }])
  const valuesOf = async (client: ApiClient) =>
    (await revisionsOf(client, 'event', id)).flatMap(({ changes }) =>
      changes.flatMap(({ before, after }) => [before, after].flat()),
    )
  expect(await valuesOf(editor)).toEqual(expect.arrayContaining([hidden, image]))
  const seen = await valuesOf(author)
  expect(seen).toContain(shown)
  for (const secret of [hidden, image]) expect(seen).not.toContain(secret)
})

test('restores one language and leaves the others', async () => {
  const texts = (suffix: string) => ({
    title: `Jazz ${suffix}`,
    description: `About ${suffix}`,
    translations: [
      { language: 'FR', name: `Le jazz ${suffix}`, excerpt: `Bref ${suffix}` },
      { language: 'ES', name: `El jazz ${suffix}` },
    ],
  })
  const id = await create(texts('1'))
  const [first] = await revisionsOf(editor, 'event', id)
  await update(id, { ...texts('2'), website: 'https://example.org/' })
  const [second, third] = [await stateOf(app.db, 'event', id), await texts('3')]
  const outcome = await restoreRevision(editor, {
    kind: 'EVENT',
    id: String(id),
    revisionId: first?.id,
    languages: ['FR'],
  })
  expect(outcome).toMatchObject({ userErrors: [], record: { databaseId: id, title: 'Jazz 2' } })
  const state = await stateOf(app.db, 'event', id)
  expect(state).toEqual({
    ...second,
    'name@fr': 'Le jazz 1',
    'excerpt@fr': 'Bref 1',
    'slug@fr': 'le-jazz-1',
  })
  expect((await revisionsOf(editor, 'event', id))[0]).toMatchObject({
    action: 'UPDATED',
    changes: [
      { field: 'excerpt', language: 'FR', before: 'Bref 2', after: 'Bref 1' },
      { field: 'title', language: 'FR', before: 'Le jazz 2', after: 'Le jazz 1' },
    ],
  })
  await update(id, third)
  await restoreRevision(editor, {
    ...{ kind: 'EVENT', id: String(id), revisionId: first?.id, languages: ['ES', 'EN'], fields: ['title'] },
  })
  expect(await stateOf(app.db, 'event', id)).toMatchObject({
    'name@en': 'Jazz 1',
    'name@es': 'El jazz 1',
    'name@fr': 'Le jazz 3',
    'description@en': 'About 3',
  })
})

test('restores one field, and a moved date with its time zone', async () => {
  const id = await create({ website: 'https://one.test/' })
  await update(id, { website: 'https://two.test/', title: 'Swing', startsLocal: '2026-12-01T20:00:00' })
  const moved = await update(id, {
    startsLocal: '2027-01-05T10:00:00',
    endsLocal: '2027-01-05T12:00:00',
    timeZone: 'America/New_York',
    eventStatus: 'RESCHEDULED',
  })
  expect(moved).toBe(id)
  const [, second, first] = await revisionsOf(editor, 'event', id)
  const before = await stateOf(app.db, 'event', id)
  const restore = (input: object) => restoreRevision(editor, { kind: 'EVENT', id: String(id), ...input })
  expect((await restore({ revisionId: first?.id, fields: ['website'] })).userErrors).toEqual([])
  expect(await stateOf(app.db, 'event', id)).toEqual({ ...before, website: 'https://one.test/' })
  const dates = ['startsLocal', 'endsLocal', 'timeZone']
  expect((await restore({ revisionId: second?.id, fields: dates })).userErrors).toEqual([])
  expect(await stateOf(app.db, 'event', id)).toEqual({
    ...before,
    website: 'https://one.test/',
    starts_local: '2026-12-01T20:00:00',
    ends_local: '2026-12-01T21:00:00',
    starts_at: '2026-12-01T19:00:00+00:00',
    ends_at: '2026-12-01T20:00:00+00:00',
    time_zone: 'Europe/Paris',
  })
  expect((await restore({ revisionId: first?.id, fields: ['title', 'colour'] })).userErrors).toMatchObject([
    { code: 'BAD_INPUT', path: ['fields'], message: expect.stringContaining('startsLocal') },
  ])
  const impossible = await restore({ revisionId: first?.id, fields: ['startsLocal'], ifUnmodifiedSince: now })
  expect(impossible.userErrors).toMatchObject([{ code: 'CONFLICT' }])
})

test('restores a record in the trash with its status, and refuses single fields of it', async () => {
  const id = await create()
  await update(id, { title: 'Swing' })
  await write(editor, 'trashEvent', { id: String(id) })
  const [, , first] = await revisionsOf(editor, 'event', id)
  const input = { kind: 'EVENT', id: String(id), revisionId: first?.id }
  const refused = await restoreRevision(editor, { ...input, fields: ['title'] })
  expect(refused).toMatchObject({ record: null, userErrors: [{ code: 'TRASHED' }] })
  expect((await restoreRevision(editor, input)).userErrors).toEqual([])
  expect(await stateOf(app.db, 'event', id)).toMatchObject({ status: 'publish', 'name@en': 'Jazz' })
  const [latest] = await revisionsOf(editor, 'event', id)
  expect(latest?.action).toBe('RESTORED')
})

test('restores links in their order, with categories, tags, tickets and parent', async () => {
  const venues = [await makeVenue(app.db, 'One'), await makeVenue(app.db, 'Two'), await makeVenue(app.db, 'Three')]
  const organizer = await makeOrganizer(app.db, 'Club')
  const parent = await create()
  const ids = (...list: (number | undefined)[]) => list.map((id) => ({ id: String(id) }))
  const id = await create({
    venues: ids(venues[2], venues[0]),
    organizers: ids(organizer),
    categories: [{ nameOrSlug: 'Music' }],
    tags: [{ nameOrSlug: 'Late' }, { nameOrSlug: 'Free' }],
    tickets: [
      { name: 'Adult', price: '12.50', currency: 'EUR', capacity: 5, salesStart: '2026-11-21T10:00:00Z' },
      { name: 'Child', price: '5', currency: 'EUR' },
    ],
    parentId: String(parent),
  })
  const before = await stateOf(app.db, 'event', id)
  await update(id, {
    ...{
      venues: ids(venues[0], venues[1]),
      organizers: [],
      categories: [],
      tags: [{ nameOrSlug: 'Free' }],
      tickets: [],
    },
    parentId: null,
  })
  const [, first] = await revisionsOf(editor, 'event', id)
  const input = { kind: 'EVENT', id: String(id), revisionId: first?.id }
  expect((await restoreRevision(editor, input)).userErrors).toEqual([])
  expect(await stateOf(app.db, 'event', id)).toEqual(before)
  // A second time, nothing differs any more.
  const count = (await revisionsOf(editor, 'event', id)).length
  expect((await restoreRevision(editor, input)).userErrors).toEqual([])
  expect(await stateOf(app.db, 'event', id)).toEqual(before)
  expect(await revisionsOf(editor, 'event', id)).toHaveLength(count)
})

test('reports what is gone or taken, and restores nothing then', async () => {
  const [venue, other] = [await makeVenue(app.db, 'Hall'), await makeVenue(app.db, 'Loft')]
  const id = await create({ title: 'Taken', venues: [{ id: String(venue) }] }, author)
  await update(id, { title: 'Free', slug: 'free-now', venues: [{ id: String(other) }] })
  const rival = await create({ title: 'Taken' })
  await write(editor, 'deleteVenue', { id: String(venue) })
  const before = await stateOf(app.db, 'event', id)
  const first = (await revisionsOf(editor, 'event', id)).at(-1)
  const input = { kind: 'EVENT', id: String(id), revisionId: first?.id }
  const gone = await restoreRevision(editor, input)
  expect(gone.userErrors).toMatchObject([
    { code: 'BAD_INPUT', path: ['revisionId', 'venues'], message: expect.stringContaining(`(${venue})`) },
  ])
  const unseen = await restoreRevision(author, input)
  expect(unseen.userErrors[0]?.message).toContain('venues: ')
  expect(unseen.userErrors[0]?.message).not.toContain(`${venue}`)
  const taken = await restoreRevision(editor, { ...input, languages: ['EN'] })
  expect(taken.userErrors).toMatchObject([
    { path: ['revisionId', 'slug', 'EN'], message: expect.stringContaining('slug (EN): ') },
  ])
  expect(await stateOf(app.db, 'event', id)).toEqual(before)
  expect(rival).not.toBe(id)
  expect((await restoreRevision(editor, { ...input, fields: ['title'] })).userErrors).toEqual([])
  expect(await stateOf(app.db, 'event', id)).toEqual({ ...before, 'name@en': 'Taken' })
})

test('a password and an e-mail address show nowhere and stay as they are', async () => {
  const [secret, former] = ['correct horse', 'former@secret.test']
  const id = await write(editor, 'createOrganizer', { name: 'Club', email: former, password: secret })
  const key = (await app.db.organizer.findUniqueOrThrow({ where: { id } })).passwordKey ?? ''
  await write(editor, 'updateOrganizer', { id: String(id), email: 'new@secret.test', password: 'battery', name: 'Bar' })
  const current = await app.db.organizer.findUniqueOrThrow({ where: { id } })
  const revisions = await revisionsOf(editor, 'organizer', id)
  const changed = revisions[0]?.changes.map(({ field, before, after }) => [field, before, after])
  expect(changed).toContainEqual(['email', '***', '***'])
  expect(changed).toContainEqual(['hasPassword', true, true])
  const shown = JSON.stringify(revisions)
  for (const text of [secret, 'battery', 'secret.test', key, current.passwordKey ?? '']) {
    expect(text).not.toBe('')
    expect(shown).not.toContain(text)
  }
  const input = { kind: 'ORGANIZER', id: String(id), revisionId: revisions[1]?.id }
  expect((await restoreRevision(editor, input)).userErrors).toEqual([])
  const after = await app.db.organizer.findUniqueOrThrow({ where: { id } })
  expect([after.email, after.passwordKey]).toEqual([current.email, current.passwordKey])
  expect(await stateOf(app.db, 'organizer', id)).toMatchObject({ 'name@en': 'Club' })
  expect((await restoreRevision(editor, { ...input, fields: ['email'] })).userErrors).toMatchObject([
    { path: ['fields'] },
  ])
})

test.each([
  ['Venue', { name: 'Hall', city: 'Gent', state: 'A', coordinates: { latitude: 51, longitude: 3.7 } }],
  ['Organizer', { name: 'Club', phone: '1', website: 'https://club.test/' }],
  ['Category', { name: 'Concerts', description: 'Loud' }],
  ['Tag', { name: 'Late night', description: 'Late' }],
] as const)('%s', async (type, input) => {
  const kind = type.toLowerCase()
  const id = await write(editor, `create${type}`, { ...input, translations: [{ language: 'FR', name: 'Nom' }] })
  const before = await stateOf(app.db, kind, id)
  const empty = type === 'Venue' ? { city: '', state: 'B', coordinates: null } : {}
  await write(editor, `update${type}`, {
    ...{ id: String(id), name: 'Other', description: 'Changed', ...empty },
    translations: [{ language: 'FR', name: null }],
  })
  const [, first] = await revisionsOf(editor, kind, id)
  expect(first?.changes).toContainEqual({ field: 'name', language: 'FR', before: null, after: 'Nom' })
  const restored = await restoreRevision(editor, { kind: kind.toUpperCase(), id: String(id), revisionId: first?.id })
  expect(restored.userErrors).toEqual([])
  expect(await stateOf(app.db, kind, id)).toEqual(before)
})

test('images', async () => {
  const id = await makeImage(app.db)
  await write(editor, 'updateImage', {
    id: String(id),
    altText: 'A band',
    translations: [{ language: 'FR', title: 'Groupe' }],
  })
  const before = await stateOf(app.db, 'image', id)
  await write(editor, 'updateImage', {
    id: String(id),
    altText: 'A choir',
    translations: [{ language: 'FR', title: null }],
  })
  const [, second] = await revisionsOf(editor, 'image', id)
  const restored = await restoreRevision(editor, { kind: 'IMAGE', id: String(id), revisionId: second?.id })
  expect(restored.userErrors).toEqual([])
  expect(await stateOf(app.db, 'image', id)).toEqual(before)
})

test('a conflict names who changed what since', async () => {
  const id = await create({}, author)
  const { body } = await author.graphql(`{ event(id: ${id}) { modifiedAt } }`)
  const since = body.data.event.modifiedAt
  app.clock.now = new Date(app.clock.now.getTime() + 1000)
  await update(id, { title: 'Swing', website: 'https://example.org/', startsLocal: '2026-12-01T18:00:00' })
  const mutate = async (mutation: string, input: object) => {
    const { body } = await author.graphql(
      `mutation ($input: ${mutation.replace(/^./, (first) => first.toUpperCase())}Input!) { ${mutation}(input: $input) { userErrors { code message } } }`,
      { input: { id: String(id), ifUnmodifiedSince: since, ...input } },
    )
    return body.data[mutation].userErrors
  }
  const message =
    'The record was modified after ifUnmodifiedSince: The editor changed startsLocal, title (EN), website. Read it again and repeat the change.'
  expect(await mutate('updateEvent', { title: 'Mine' })).toEqual([{ code: 'CONFLICT', message }])
  const gone = await app.signIn('editor')
  await update(id, { sticky: true }, gone)
  await app.db.user.delete({ where: { id: gone.id } })
  expect((await mutate('updateEvent', { title: 'Mine' }))[0].message).toContain('; a deleted user changed sticky')
})

test('every column is a field of revisions, or is none that an editor writes', async () => {
  const tables = Object.keys(loggedFields)
    .filter((kind) => kind !== 'series')
    .flatMap((kind) => [kind, `${kind}_text`])
  const rows = await app.db.$queryRaw<{ name: string }[]>`
    SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ANY(${tables}) AND is_generated = 'NEVER'`
  // Of a series, what its dates have in common is in their columns.
  const { series: _, ...ofTables } = loggedFields
  const shown = Object.entries(ofTables).flatMap(([kind, { columns, texts }]) => [
    ...Object.keys(columns).map((column) => `${kind}.${column}`),
    ...Object.keys(texts).map((column) => `${kind}_text.${column}`),
  ])
  const names = rows.map(({ name }) => name)
  expect(shown.filter((name) => !names.includes(name))).toEqual([])
  const others =
    /\.(id|\w+_id|language|original_language|modified_at|trashed_from|sequence|lowest_ticket|original_starts_local|day_number|is_extra|changed_fields|review_message)$|_text\.(written|source|revised_at|in_review|\w+_source|folded|folded_name|stems)$|^image\./
  expect(names.filter((name) => !shown.includes(name) && !others.test(name))).toEqual([])
})
