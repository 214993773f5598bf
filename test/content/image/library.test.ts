// The library of images: their texts in each language, filters, orders, changes and deletion.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../../helpers/app.ts'
import { truncate } from '../../helpers/db.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../../helpers/make.ts'
import { ns } from '../../helpers/rest.ts'
import type { TestUser } from '../../helpers/users.ts'

type SignedIn = TestUser & ApiClient

let app: TestApp
let author: SignedIn
let editor: SignedIn
let image = 0
beforeAll(async () => {
  app = await openTestApp({ REST_PREFIX: '/wp-json' })
})
beforeEach(async () => {
  await truncate(app.db)
  author = await app.signIn('author')
  editor = await app.signIn('editor')
  image = await makeImage(app.db)
  await app.db.image.update({ where: { id: image }, data: { authorId: author.id ?? 0 } })
})
afterAll(() => app.close())

const updateImage = `mutation ($input: UpdateImageInput!) {
  updateImage(input: $input) { image { title altText caption credit slug modifiedAt } userErrors { code path message modifiedAt } }
}`
const update = async (user: SignedIn, input: object, root = '') =>
  (await user.graphql(updateImage, { input: { id: image, ...input } }, root)).body.data.updateImage

const deleteImage = `mutation ($input: DeleteImageInput!) {
  deleteImage(input: $input) { databaseId userErrors { code path message databaseId } }
}`
const remove = async (user: SignedIn, input: object = {}) =>
  (await user.graphql(deleteImage, { input: { id: image, ...input } })).body.data.deleteImage

const texts = '{ title altText caption credit contentLanguage }'
const read = async (root = '') => (await editor.graphql(`{ image(id: ${image}) ${texts} }`, {}, root)).body.data.image

describe('the texts of an image', () => {
  test('are written in the language of the operation, and other languages fall back to it', async () => {
    const { userErrors } = await update(author, { altText: 'A choir', caption: 'Rehearsal', credit: 'Ada' })
    expect(userErrors).toEqual([])
    const english = { title: 'poster', altText: 'A choir', caption: 'Rehearsal', credit: 'Ada' }
    expect(await read()).toEqual({ ...english, contentLanguage: 'EN' })
    expect(await read('/fr')).toEqual({ ...english, contentLanguage: 'FR' })
    await update(author, { altText: 'Un chœur', title: 'Affiche' }, '/fr')
    expect(await read('/fr')).toMatchObject({ title: 'Affiche', altText: 'Un chœur', caption: 'Rehearsal' })
    expect(await read()).toMatchObject(english)
  })

  test('are written in several languages at once, and null removes a text', async () => {
    const translations = [{ language: 'ES', altText: 'Un coro', caption: 'Ensayo' }]
    await update(author, { altText: 'A choir', translations })
    expect(await read('/es')).toMatchObject({ altText: 'Un coro', caption: 'Ensayo' })
    await update(author, { translations: [{ language: 'ES', altText: null }] })
    expect(await read('/es')).toMatchObject({ altText: 'A choir', caption: 'Ensayo' })
    const query = `{ image(id: ${image}) { translations { language title altText caption credit } } }`
    expect((await editor.graphql(query)).body.data.image.translations).toEqual([
      { language: 'EN', title: 'poster', altText: 'A choir', caption: null, credit: null },
      { language: 'ES', title: null, altText: null, caption: 'Ensayo', credit: null },
    ])
  })

  test('change the slug with the title of the original language only', async () => {
    expect((await update(author, { title: 'The Choir' })).image).toMatchObject({ slug: 'the-choir' })
    expect((await update(author, { title: 'Le chœur' }, '/fr')).image).toMatchObject({ slug: 'the-choir' })
  })

  test.each([
    ['an empty title', { title: ' ' }, ['title']],
    ['no title in the original language', { title: null }, ['title']],
    ['a text that is too long', { caption: 'x'.repeat(2001) }, ['caption']],
    ['a language twice', { translations: [{ language: 'FR' }, { language: 'FR' }] }, ['translations', '1', 'language']],
  ])('cannot be %s', async (_, input, path) => {
    expect(await update(author, input)).toMatchObject({ image: null, userErrors: [{ code: 'BAD_INPUT', path }] })
  })

  test('are not changed after ifUnmodifiedSince', async () => {
    const { image: written } = await update(author, { caption: 'New' })
    const since = new Date(Date.parse(written.modifiedAt) - 1).toISOString()
    const conflict = await update(author, { caption: 'Old', ifUnmodifiedSince: since })
    expect(conflict.userErrors).toMatchObject([{ code: 'CONFLICT', modifiedAt: written.modifiedAt }])
    expect((await update(author, { caption: 'Newer', ifUnmodifiedSince: written.modifiedAt })).userErrors).toEqual([])
  })

  test('are new in a cached response, and in that of REST', async () => {
    const event = await makeEvent(app.db, 'Choir', { imageId: image })
    const query = { query: `{ event(id: ${event}) { databaseId image { databaseId altText caption } } }` }
    const ask = async () => (await app.send('POST', '/graphql', query)).body.data.event.image
    const media = async () => (await app.get(`/wp-json/wp/v2/media/${image}`)).body
    expect([(await ask()).caption, (await media()).caption]).toEqual(['', { rendered: '' }])
    await update(author, { caption: 'Rehearsal & break', altText: 'A choir' })
    expect(await ask()).toMatchObject({ caption: 'Rehearsal & break', altText: 'A choir' })
    expect(await media()).toMatchObject({ caption: { rendered: 'Rehearsal &amp; break' }, alt_text: 'A choir' })
  })

  test('survive a change of the languages of the site', async () => {
    const { rebuildImageTexts } = await import('../../../src/calendar/image/storage/texts.ts')
    await update(author, { altText: 'A choir', translations: [{ language: 'FR', altText: 'Un chœur' }] })
    const rebuild = (languages: string[], defaultLanguage: string) =>
      app.db.$transaction((tx) => rebuildImageTexts(tx, { languages, defaultLanguage }))
    const rows = () =>
      app.db.imageText.findMany({ orderBy: { language: 'asc' }, select: { language: true, altText: true } })
    await rebuild(['de', 'fr'], 'fr')
    expect(await rows()).toEqual([
      { language: 'de', altText: 'Un chœur' },
      { language: 'en', altText: 'A choir' },
      { language: 'fr', altText: 'Un chœur' },
    ])
  })
})

test('a decorative image has no alternative text, and lacks none', async () => {
  const ask = async () => (await editor.graphql('{ images(filter: { missingAltText: true }) { totalCount } }')).body
  expect((await ask()).data.images.totalCount).toBe(1)
  await makeEvent(app.db, 'Choir', { imageId: image })
  await update(author, { decorative: true })
  expect((await ask()).data.images.totalCount).toBe(0)
  await update(author, { altText: 'A choir' })
  const { body } = await editor.graphql(`{ image(id: ${image}) { altText decorative translations { altText } } }`)
  expect(body.data.image).toEqual({ altText: '', decorative: true, translations: [{ altText: 'A choir' }] })
  expect((await app.get(`/wp-json/wp/v2/media/${image}`)).body.alt_text).toBe('')
  await update(author, { decorative: false })
  expect(await read()).toMatchObject({ altText: 'A choir' })
})

describe('the records that use an image', () => {
  const used = '{ totalCount nodes { databaseId } }'
  const usesOf = async (user: Pick<TestApp, 'graphql'>) => {
    const { body } = await user.graphql(`{ images { nodes { events ${used} venues ${used} organizers ${used} } } }`)
    return body.data.images.nodes.flatMap(Object.values)
  }
  const list = (...ids: number[]) => ({ totalCount: ids.length, nodes: ids.map((databaseId) => ({ databaseId })) })

  test('are those whose image the viewer may see', async () => {
    const other = { imageId: image, authorId: editor.id ?? 0 }
    const event = await makeEvent(app.db, 'Choir', other)
    const venue = await makeVenue(app.db, 'Hall', { imageId: image })
    const organizer = await makeOrganizer(app.db, 'Club', { imageId: image })
    const draft = await makeEvent(app.db, 'Draft', { ...other, status: 'draft' })
    const locked = await makeEvent(app.db, 'Locked', { ...other, passwordKey: 'key' })
    const old = await makeVenue(app.db, 'Old hall', { imageId: image, status: 'trash', authorId: editor.id ?? 0 })
    expect(await usesOf(app)).toEqual([list(event), list(venue), list(organizer)])
    expect(await usesOf(author)).toEqual([list(event), list(venue), list(organizer)])
    expect(await usesOf(editor)).toEqual([list(event, draft, locked), list(old, venue), list(organizer)])
  })

  test.each([
    ['hidden from lists', { hideFromListings: true }],
    ['in the trash', { status: 'trash' as const, trashedFrom: 'draft' as const }],
  ])('also one %s counts, in each place, for those who may list it', async (_, columns) => {
    const other = await app.signIn('author')
    const id = await makeEvent(app.db, 'Choir', { imageId: image, authorId: other.id, ...columns })
    await app.db.image.update({ where: { id: image }, data: { authorId: null } })
    for (const [user, uses] of [
      [editor, [id]],
      [other, [id]],
      [author, []],
      [app, []],
    ] as const) {
      const { body } = await user.graphql(`{ used: images(filter: { used: true }) { nodes { events ${used} } }
        unused: images(filter: { used: false }) { nodes { events ${used} } } }`)
      expect(body.data.used.nodes).toEqual(uses.length > 0 ? [{ events: list(...uses) }] : [])
      for (const { events } of body.data.unused.nodes) expect([uses.length, events]).toEqual([0, list()])
    }
    expect((await remove(editor)).userErrors).toMatchObject([{ code: 'CONFLICT', databaseId: id }])
    await app.db.image.update({ where: { id: image }, data: { authorId: author.id ?? 0 } })
    expect((await remove(author)).userErrors).toMatchObject([{ code: 'CONFLICT', databaseId: null }])
  })
})

describe('a change of an image', () => {
  const rights = '{ viewerCanUpdate viewerCanDelete }'

  test('is for the user who added it, and for editors', async () => {
    const other = await app.signIn('author')
    await makeEvent(app.db, 'Choir', { imageId: image })
    for (const [user, allowed] of [
      [author, true],
      [editor, true],
      [other, false],
    ] as const) {
      const { userErrors } = await update(user, { caption: 'New' })
      expect(userErrors.map(({ code }: { code: string }) => code)).toEqual(allowed ? [] : ['FORBIDDEN'])
      const { body } = await user.graphql(`{ image(id: ${image}) ${rights} }`)
      expect(body.data.image).toEqual({ viewerCanUpdate: allowed, viewerCanDelete: allowed })
    }
    expect((await app.graphql(`{ image(id: ${image}) ${rights} }`)).body.data.image.viewerCanUpdate).toBe(false)
    const { body } = await app.graphql(updateImage, { input: { id: image, caption: 'x' } })
    expect(body.data.updateImage.userErrors).toMatchObject([{ code: 'UNAUTHENTICATED' }])
  })

  test('is not for users who lost the right to upload', async () => {
    await app.db.user.update({ where: { id: author.id ?? 0 }, data: { role: 'contributor' } })
    expect((await remove(author)).userErrors).toMatchObject([{ code: 'FORBIDDEN' }])
  })

  test('does not tell others that an image exists', async () => {
    const other = await app.signIn('author')
    expect((await remove(other)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }])
    expect((await remove(other, { id: 999_999 })).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }])
  })
})

describe('a deleted image', () => {
  test('is gone', async () => {
    expect(await remove(author)).toEqual({ databaseId: image, userErrors: [] })
    expect([await app.db.image.count(), await app.db.imageText.count()]).toEqual([0, 0])
  })

  test('must be unused: the error names the records that use it', async () => {
    const event = await makeEvent(app.db, 'Choir', { imageId: image })
    const venue = await makeVenue(app.db, 'Hall', { imageId: image })
    const { databaseId, userErrors } = await remove(author)
    expect(databaseId).toBeNull()
    expect(userErrors).toMatchObject([
      { code: 'CONFLICT', path: ['force'], databaseId: event, message: expect.stringContaining('“Choir”') },
      { code: 'CONFLICT', path: ['force'], databaseId: venue, message: expect.stringContaining('“Hall”') },
    ])
    expect(await app.db.image.count()).toBe(1)
  })

  test('is refused without naming records that the user may not see', async () => {
    const draft = await makeEvent(app.db, 'Secret', { imageId: image, status: 'draft', authorId: editor.id ?? 0 })
    const locked = await makeEvent(app.db, 'Locked', { imageId: image, passwordKey: 'key', authorId: editor.id ?? 0 })
    const { userErrors } = await remove(author)
    const hidden =
      'Used by records that you may not see. Send force: true to remove the image from all records that use it.'
    expect(userErrors).toMatchObject([{ code: 'CONFLICT', databaseId: null, message: hidden }])
    expect(JSON.stringify(userErrors)).not.toMatch(new RegExp(`Secret|Locked|\\b(${draft}|${locked})\\b`))
    expect((await remove(editor)).userErrors).toMatchObject([{ databaseId: draft }, { databaseId: locked }])
  })

  test('names ten records and counts the others', async () => {
    for (let n = 0; n < 12; n += 1) await makeVenue(app.db, `Hall ${n}`, { imageId: image })
    const { userErrors } = await remove(editor)
    expect(userErrors).toHaveLength(11)
    expect(userErrors.at(-1).message).toMatch(/^Used by 2 more records\./)
  })

  test('is removed from all records if forced, which are then modified, also in cached responses', async () => {
    const event = await makeEvent(app.db, 'Choir', { imageId: image, authorId: author.id ?? 0 })
    const query = { query: `{ event(id: ${event}) { databaseId sequence image { databaseId } } }` }
    const ask = async () => (await app.send('POST', '/graphql', query)).body.data.event
    const { modifiedAt } = await app.db.event.findUniqueOrThrow({ where: { id: event } })
    const rest = async () => (await app.get(`/wp-json${ns}/events/${event}`)).body
    expect([(await ask()).image, (await rest()).image.id]).toEqual([{ databaseId: image }, image])
    expect(await remove(author, { force: true })).toEqual({ databaseId: image, userErrors: [] })
    expect(await ask()).toEqual({ databaseId: event, sequence: 1, image: null })
    expect((await rest()).image).toBe(false)
    const after = await app.db.event.findUniqueOrThrow({ where: { id: event } })
    expect(after.modifiedAt.getTime()).toBeGreaterThan(modifiedAt.getTime())
  })

  test('cannot be removed from records that the user may not update', async () => {
    const venue = await makeVenue(app.db, 'Hall', { imageId: image, authorId: editor.id ?? 0 })
    await makeVenue(app.db, 'Room', { imageId: image, authorId: author.id ?? 0 })
    expect((await remove(author, { force: true })).userErrors).toMatchObject([{ code: 'FORBIDDEN', path: ['force'] }])
    expect(await app.db.venue.findUniqueOrThrow({ where: { id: venue } })).toMatchObject({ imageId: image })
    expect((await remove(editor, { force: true })).userErrors).toEqual([])
  })
})

describe('the list of images', () => {
  const list = async (user: Pick<TestApp, 'graphql'>, args: string) =>
    (await user.graphql(`{ images(${args}) { nodes { databaseId } totalCount } }`)).body.data.images.nodes.map(
      ({ databaseId }: { databaseId: number }) => databaseId,
    )

  test('is searched in all texts and languages', async () => {
    await update(author, { credit: 'Ada Lovelace', translations: [{ language: 'FR', caption: 'Répétition' }] })
    await makeImage(app.db, 'https://images.test/other.jpg')
    for (const search of ['LOVELACE', 'Répét', 'poster']) {
      expect(await list(editor, `filter: { search: "${search}" }`)).toEqual([image])
    }
    expect(await list(editor, 'filter: { search: "100%" }')).toEqual([])
    const long = await editor.graphql(`{ images(filter: { search: "${'a'.repeat(1001)}" }) { totalCount } }`)
    expect(long.body.errors?.[0].extensions.fields).toEqual({ search: 'search can have at most 1000 characters.' })
  })

  test('is filtered by missing alternative text', async () => {
    const other = await makeImage(app.db, 'https://images.test/other.jpg')
    await update(author, { translations: [{ language: 'FR', altText: 'Affiche' }] })
    expect(await list(editor, 'filter: { missingAltText: true }')).toEqual([other])
  })

  test('is filtered by author, time and use', async () => {
    const used = await makeImage(app.db, 'https://images.test/used.jpg')
    await makeEvent(app.db, 'Choir', { imageId: used })
    expect(await list(editor, `filter: { authors: [${author.id}] }`)).toEqual([image])
    expect(await list(editor, 'filter: { used: true }')).toEqual([used])
    expect(await list(editor, 'filter: { used: false }')).toEqual([image])
    await app.db.image.update({ where: { id: image }, data: { createdAt: new Date('2020-01-01') } })
    expect(await list(editor, 'filter: { addedAt: { lt: "2020-01-02T00:00:00Z" } }')).toEqual([image])
  })

  test('does not tell whether a hidden record uses an image', async () => {
    await makeEvent(app.db, 'Secret', { imageId: image, status: 'draft', authorId: editor.id ?? 0 })
    expect(await list(author, 'filter: { used: true }')).toEqual([])
    expect(await list(author, 'filter: { used: false }')).toEqual([image])
    expect(await list(editor, 'filter: { used: true }')).toEqual([image])
  })

  test.each(['ADDED', 'MODIFIED', 'TITLE'])('is ordered by %s, with cursors', async (field) => {
    const data = [
      { id: await makeImage(app.db, 'https://images.test/a.jpg'), at: '2020-01-02' },
      { id: await makeImage(app.db, 'https://images.test/b.jpg'), at: '2020-01-03' },
      { id: image, at: '2020-01-04' },
    ]
    for (const { id, at } of data) {
      await app.db.image.update({ where: { id }, data: { createdAt: new Date(at), modifiedAt: new Date(at) } })
    }
    const ids = data.map(({ id }) => id)
    expect(await list(editor, `orderBy: { field: ${field} }`)).toEqual(ids)
    const descending = `orderBy: { field: ${field}, direction: DESC }`
    expect(await list(editor, descending)).toEqual(ids.toReversed())
    const first = await editor.graphql(`{ images(first: 1, ${descending}) { pageInfo { endCursor } } }`)
    const { endCursor } = first.body.data.images.pageInfo
    expect(await list(editor, `after: "${endCursor}", ${descending}`)).toEqual(ids.toReversed().slice(1))
    const page = await editor.graphql(`{ imagesPage(page: 2, perPage: 2, ${descending}) { items { databaseId } } }`)
    expect(page.body.data.imagesPage.items).toEqual([{ databaseId: ids[0] }])
  })
})
