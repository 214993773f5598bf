// Writing the records of a legacy site: what they become here, and what a repeated import does.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AnyRecord, RecordImportOutcome, TargetOptions } from '../../src/tools/import-site/source-records.ts'
import { createImportTarget } from '../../src/tools/import-site/target.ts'
import { createOperations, type Operations } from '../../src/tools/operations.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeTag, makeVenue } from '../helpers/make.ts'
import {
  databaseRows,
  sourceEvent,
  sourceOrganizer,
  sourceTerm,
  sourceText,
  sourceVenue,
} from '../helpers/source-records.ts'
import { makeUser } from '../helpers/users.ts'

let app: TestApp
let operations: Operations
beforeAll(async () => {
  app = await openTestApp()
  operations = await createOperations({ ...app, now: () => app.clock.now })
})
beforeEach(() => truncate(app.db))
afterAll(() => app.close())

const options: TargetOptions = {
  site: 'https://legacy.example/wp-json/tribe/events/v1',
  keepIds: undefined,
  dryRun: false,
  overwrite: false,
  authors: new Map(),
}

const open = (values: Partial<TargetOptions> = {}) => createImportTarget(operations, { ...options, ...values })

/** Writes the records with a new target, as one run of the command does. */
async function run(records: readonly AnyRecord[], values: Partial<TargetOptions> = {}): Promise<RecordImportOutcome[]> {
  const target = await open(values)
  const outcomes: RecordImportOutcome[] = []
  for (const record of records) outcomes.push(await target.write(record))
  return outcomes
}

const created = (id: number) => ({ outcome: 'created', id, notes: [] })

const read = async (id: number, fields: string, root = ''): Promise<Record<string, unknown>> => {
  const { body } = await app.graphql(`{ event(id: ${id}) { ${fields} } }`, {}, root)
  expect(body.errors).toBeUndefined()
  return body.data.event
}

const languages = {
  ids: { en: 100, fr: 101, es: 102 },
  texts: {
    en: sourceText('Winter & concert', { description: '<p onclick="alert(1)">Music</p>', slug: 'winter' }),
    fr: sourceText('Concert d’hiver', { excerpt: 'Bref', slug: 'hiver' }),
    es: sourceText('Concierto de invierno', { slug: 'invierno' }),
  },
}

/** One record of each kind, which refer to each other. */
const site: readonly AnyRecord[] = [
  sourceTerm('category', 5),
  sourceTerm('category', 9, {
    parent: 5,
    ids: { en: 9, fr: 10 },
    texts: { en: sourceText('Jazz'), fr: sourceText('Le jazz') },
  }),
  sourceTerm('tag', 7, { texts: { en: sourceText('Free entry', { description: 'No & cost' }) } }),
  sourceVenue(40, {
    address: '1 Main St',
    city: 'Lyon',
    country: 'France',
    coordinates: { latitude: 45.7, longitude: 4.8 },
    showMap: false,
  }),
  sourceVenue(41, { website: 'https://hall.example' }),
  sourceOrganizer(50, { email: 'office@club.example', phone: '+33 1', website: 'https://club.example' }),
  sourceEvent(100, {
    ...languages,
    author: 3,
    cost: ['5', 'Free for children'],
    website: 'https://winter.example',
    featured: true,
    sticky: true,
    hideFromListings: true,
    customFields: [{ key: '_ecp_1', label: 'Dress', value: 'Black' }],
    attendanceMode: 'mixed',
    onlineUrl: 'https://stream.example/1',
    venues: [41, 40],
    organizers: [50],
    categories: [10],
    tags: [7],
  }),
  sourceEvent(90, { status: 'draft', publishedAt: undefined, parent: 100 }),
]

describe('records of an empty database', () => {
  test('keep their IDs, and new records get later ones', async () => {
    expect(await run(site)).toEqual([5, 9, 7, 40, 41, 50, 100, 90].map(created))
    const tag = await makeTag(app.db, 'New')
    expect([await makeVenue(app.db, 'New'), tag]).toEqual([103, 11])
  })

  test('have the values of the site', async () => {
    await run(site)
    const fields = `
      title slug excerptHtml descriptionHtml status publishedAt modifiedAt startsLocal startsAt timeZone costEntries
      website featured sticky hideFromListings showMap attendanceMode onlineUrl author { name }
      customFields { key label value } venues { databaseId } organizers { databaseId }
      categories { databaseId parent { databaseId } } tags { name description }`
    expect(await read(100, fields)).toEqual({
      ...{ title: 'Winter & concert', slug: 'winter', excerptHtml: '', descriptionHtml: '<p>Music</p>' },
      ...{ status: 'PUBLISHED', publishedAt: '2025-06-01T08:00:00.000Z', modifiedAt: '2026-03-01T10:00:00.000Z' },
      ...{ startsLocal: '2026-12-01T20:00:00', startsAt: '2026-12-01T19:00:00.000Z', timeZone: 'Europe/Paris' },
      ...{ costEntries: ['5', 'Free for children'], website: 'https://winter.example' },
      ...{ featured: true, sticky: true, hideFromListings: true, showMap: true },
      ...{ attendanceMode: 'MIXED', onlineUrl: 'https://stream.example/1', author: { name: 'author-3' } },
      customFields: [{ key: '_ecp_1', label: 'Dress', value: 'Black' }],
      venues: [{ databaseId: 41 }, { databaseId: 40 }],
      organizers: [{ databaseId: 50 }],
      categories: [{ databaseId: 9, parent: { databaseId: 5 } }],
      tags: [{ name: 'Free entry', description: 'No & cost' }],
    })
    expect(await read(100, 'title slug excerptHtml descriptionHtml', '/fr')).toMatchObject({
      ...{ title: 'Concert d’hiver', slug: 'hiver', excerptHtml: '<p>Bref</p>' },
    })
    expect(await read(100, 'title slug', '/es')).toEqual({ title: 'Concierto de invierno', slug: 'invierno' })
    const draft = await app.db.event.findUniqueOrThrow({ where: { id: 90 } })
    expect(draft).toMatchObject({ status: 'draft', parentId: 100, authorId: null })
    const { rows } = await app.database.pool.query('SELECT login, role FROM "user" JOIN event ON author_id = "user".id')
    expect(rows).toEqual([{ login: 'author-3', role: 'contributor' }])
  })

  test('do not change when they are imported again', async () => {
    await run(site)
    const before = await databaseRows(app)
    app.clock.now = new Date(now.getTime() + 86_400_000)
    const outcomes = await run(site)
    app.clock.now = now
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(site.map(() => 'unchanged'))
    expect(await databaseRows(app)).toEqual(before)
    const target = await open()
    expect(target.isCurrent('event', 100, new Date('2026-03-01T10:00:00Z'))).toBe(true)
    expect(target.isCurrent('event', 100, new Date('2026-03-01T10:00:01Z'))).toBe(false)
    expect(target.isCurrent('event', 101, new Date('2026-03-01T10:00:00Z'))).toBe(false)
    expect(target.isCurrent('category', 5, undefined)).toBe(false)
  })
})

describe('a repeated import', () => {
  const event = sourceEvent(1, languages)
  const later = new Date('2026-04-01T10:00:00Z')

  test('updates what changed on the site, with the time of the site', async () => {
    await run([event])
    const { es: _, ...texts } = languages.texts
    const changed = {
      ...event,
      texts: { ...texts, en: sourceText('Spring') },
      ids: { en: 100, fr: 101 },
      modifiedAt: later,
    }
    expect(await run([{ ...changed, startsLocal: '2026-12-01T21:00:00' }])).toEqual([
      { outcome: 'updated', id: 1, notes: [] },
    ])
    expect(await read(1, 'title slug modifiedAt startsLocal descriptionHtml')).toEqual({
      ...{ title: 'Spring', slug: 'spring', modifiedAt: later.toISOString(), startsLocal: '2026-12-01T21:00:00' },
      descriptionHtml: '',
    })
    expect((await read(1, 'translations { language }')).translations).toEqual([{ language: 'EN' }, { language: 'FR' }])
  })

  test('continues one that was interrupted, with the same IDs', async () => {
    await run([sourceVenue(40), sourceEvent(100, { venues: [40] })])
    expect(await run([sourceVenue(40), sourceEvent(100, { venues: [40] }), sourceEvent(30, { venues: [40] })])).toEqual(
      [{ outcome: 'unchanged', id: 40, notes: [] }, { outcome: 'unchanged', id: 100, notes: [] }, created(30)],
    )
  })

  test('sets a parent that a later import brings, also if its details come after those of its children', async () => {
    await run([sourceEvent(1, { parent: 2 }), sourceTerm('category', 3, { parent: 4 })])
    const target = await open()
    expect(target.isCurrent('event', 1, event.modifiedAt)).toBe(false)
    const details = Promise.withResolvers<AnyRecord>()
    const written = [
      target.write(details.promise),
      ...[sourceEvent(1, { parent: 2 }), sourceTerm('category', 4), sourceTerm('category', 3, { parent: 4 })].map(
        (record) => target.write(record),
      ),
    ]
    details.resolve(sourceEvent(2))
    expect((await Promise.all(written)).map(({ outcome }) => outcome)).toEqual([
      'created',
      'updated',
      'created',
      'updated',
    ])
    expect((await app.db.event.findUniqueOrThrow({ where: { id: 1 } })).parentId).toBe(2)
    expect((await app.db.category.findUniqueOrThrow({ where: { id: 3 } })).parentId).toBe(4)
    expect((await open()).isCurrent('event', 1, event.modifiedAt)).toBe(true)
  })

  test('skips a record that was edited or deleted here, unless it overwrites', async () => {
    const editor = await app.signIn('editor')
    const records = [sourceEvent(1), sourceEvent(2), sourceTerm('tag', 3), sourceEvent(4)]
    await run(records)
    const edit = `mutation { updateEvent(input: { id: 1, title: "Edited" }) { userErrors { message } }
      deleteEvent(input: { id: 2 }) { id } updateTag(input: { id: 3, name: "Edited" }) { userErrors { message } }
      trashEvent(input: { id: 4 }) { userErrors { message } } }`
    expect((await editor.graphql(edit)).body.errors).toBeUndefined()
    expect((await run(records)).map(({ outcome }) => outcome)).toEqual(records.map(() => 'unchanged'))
    const changed = records.map((record) =>
      record.kind === 'tag'
        ? { ...record, texts: { en: sourceText('Changed') } }
        : { ...record, texts: { en: sourceText('Changed') }, modifiedAt: later },
    )
    const before = await databaseRows(app)
    expect(await run(changed)).toEqual([
      { outcome: 'skipped', reason: expect.stringMatching(/edited in this service.*--overwrite/) },
      { outcome: 'skipped', reason: expect.stringMatching(/deleted in this service.*--overwrite/) },
      { outcome: 'skipped', reason: expect.stringMatching(/edited in this service.*--overwrite/) },
      { outcome: 'skipped', reason: expect.stringMatching(/edited in this service.*--overwrite/) },
    ])
    expect(await databaseRows(app)).toEqual(before)
    const overwrite = await open({ overwrite: true })
    expect(overwrite.isCurrent('event', 1, sourceEvent(1).modifiedAt)).toBe(false)
    expect((await run(changed, { overwrite: true })).map(({ outcome }) => outcome)).toEqual([
      ...['updated', 'created', 'updated', 'updated'],
    ])
    expect((await read(1, 'title')).title).toBe('Changed')
    expect((await read(4, 'status')).status).toBe('PUBLISHED')
  })
})

describe('what differs from the site', () => {
  test('of events with one slug: each keeps its ID, with another slug', async () => {
    const occurrences = [1, 2, 3].map((day) =>
      sourceEvent(10_000_100 + day, {
        texts: { en: sourceText('Course'), fr: sourceText('Cours') },
        ...{ startsLocal: `2026-12-0${day}T19:00:00`, endsLocal: `2026-12-0${day}T21:00:00` },
      }),
    )
    const ids = occurrences.map(({ id }) => id)
    const outcomes = await run(occurrences)
    expect(outcomes.map((each) => each.outcome !== 'skipped' && each.id)).toEqual(ids)
    const { body } = await app.graphql('{ events(first: 5) { nodes { databaseId slug startsLocal occurrence } } }')
    expect(body.data.events.nodes).toEqual(
      ids.map((databaseId, index) => ({
        databaseId,
        slug: `course${index === 0 ? '' : `-${index + 1}`}`,
        startsLocal: `2026-12-0${index + 1}T19:00:00`,
        occurrence: 'SINGLE',
      })),
    )
    expect((await run(occurrences)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  })

  test('is noted: slugs and IDs that other records have', async () => {
    const taken = await makeEvent(app.db, { en: { name: 'Here', slug: 'event-1' } })
    const [outcome] = await run([sourceEvent(taken, { texts: { en: sourceText('There', { slug: 'event-1' }) } })], {
      keepIds: true,
    })
    expect(outcome).toEqual({
      outcome: 'created',
      id: 1_000_000,
      notes: [expect.stringContaining('slug in en is event-1-2'), expect.stringContaining('ID is 1000000')],
    })
    const [other] = await run([sourceEvent(500)])
    expect(other).toMatchObject({ outcome: 'created', id: 1_000_001 })
  })

  test('is noted: links to records that are missing or in the trash', async () => {
    const editor = await app.signIn('editor')
    await run([sourceVenue(1), sourceVenue(2)])
    await editor.graphql('mutation { trashVenue(input: { id: 1 }) { userErrors { message } } }')
    const event = sourceEvent(3, { venues: [1, 2, 99], parent: 3 })
    const [outcome] = await run([event])
    expect(outcome).toMatchObject({ outcome: 'created', id: 3 })
    expect(outcome).toHaveProperty('notes', [
      expect.stringContaining('event 3 is not linked'),
      expect.stringMatching(/venue 1 .*trash/),
      expect.stringMatching(/venue 99 .*not imported/),
    ])
    expect((await read(3, 'venues { databaseId }')).venues).toEqual([{ databaseId: 2 }])
  })

  test('is noted: values that are not valid, and texts in other languages', async () => {
    const event = sourceEvent(1, {
      website: 'www.example.org',
      onlineUrl: 'javascript:alert(1)',
      texts: {
        en: sourceText('Title', { description: '<script>x</script><iframe></iframe>' }),
        de: sourceText('Titel'),
      },
    })
    const [outcome, venue, organizer] = await run([
      event,
      sourceVenue(2, { coordinates: { latitude: 91, longitude: 0 } }),
      sourceOrganizer(3, { email: 'ask at the door' }),
    ])
    expect(organizer).toMatchObject({
      outcome: 'created',
      notes: [expect.stringMatching(/^email was left out: ask at the door\. .*address/)],
    })
    expect(outcome).toHaveProperty('notes', [
      expect.stringContaining('in de was left out'),
      expect.stringContaining('removed: script, iframe'),
      expect.stringContaining('website was left out: www.example.org'),
      expect.stringContaining('onlineUrl was left out'),
    ])
    expect(venue).toMatchObject({ outcome: 'created', notes: [expect.stringContaining('91')] })
  })

  test('a category or tag of the same name is used, and stays as it is', async () => {
    const existing = await makeTag(app.db, 'Music')
    const tag = sourceTerm('tag', 70, { texts: { en: sourceText('Music') } })
    expect(await run([tag])).toEqual([
      { outcome: 'unchanged', id: existing, notes: [expect.stringContaining('same name')] },
    ])
    const [event] = await run(
      [{ ...tag, texts: { en: sourceText('Songs') } }, sourceEvent(71, { tags: [70] })].slice(1),
    )
    expect(event).toMatchObject({ outcome: 'created', notes: [] })
    await run([{ ...tag, texts: { en: sourceText('Songs') } }])
    expect((await app.db.tagText.findFirstOrThrow({ where: { tagId: existing, language: 'en' } })).name).toBe('Music')
  })
})

describe('a record that no mutation would accept', () => {
  test('is skipped with the reason, and nothing of it is written', async () => {
    const before = await databaseRows(app)
    const outcomes = await run([
      sourceEvent(1, { timeZone: 'Mars/Olympus' }),
      sourceEvent(2, { endsLocal: '2026-12-01T19:00:00' }),
      sourceEvent(3, { texts: { en: sourceText(' ') } }),
      sourceEvent(4, { texts: { en: sourceText('x'.repeat(801)) } }),
      sourceEvent(5, { startsLocal: '2026-02-30T20:00:00' }),
      sourceEvent(6, { texts: { de: sourceText('Titel') }, originalLanguage: 'de' }),
      sourceEvent(7, { texts: { en: sourceText('Long', { description: 'x'.repeat(100_001) }) } }),
      sourceVenue(8, { address: 'x'.repeat(2001) }),
      sourceEvent(9, { texts: { en: sourceText('Nul', { description: '\0' }) } }),
    ])
    const reasons = [
      /timeZone/,
      /end/,
      /title/,
      /800/,
      /an existing date and time/,
      /text in de/,
      /100,000/,
      /2,000/,
      /NUL/,
    ]
    expect(outcomes).toEqual(reasons.map((reason) => ({ outcome: 'skipped', reason: expect.stringMatching(reason) })))
    expect({ ...(await databaseRows(app)), post_id_seq: before.post_id_seq }).toEqual(before)
  })
})

test('two imports of a site at the same time do not create records twice', async () => {
  const [one, other] = [await open(), await open()]
  expect(await one.write(sourceVenue(1, { author: 5 }))).toEqual(created(1))
  await expect(other.write(sourceVenue(1))).rejects.toThrow('Another import of this site is running')
  await one.write(sourceVenue(1, { phone: '1' }))
  await expect(other.write(sourceVenue(2, { author: 5 }))).rejects.toThrow('Another import of this site is running')
  const stale = await open()
  await run([sourceVenue(1, { phone: '2' })])
  await expect(stale.write(sourceVenue(1, { phone: '3' }))).rejects.toThrow('Another import of this site is running')
  expect(await app.db.venue.findMany({ select: { id: true, phone: true } })).toEqual([{ id: 1, phone: '2' }])
})

test('the instant decides in an hour that a clock change repeats', async () => {
  const times = { startsLocal: '2026-10-25T02:30:00', endsLocal: '2026-10-25T02:45:00' }
  const first = { startsAt: new Date('2026-10-25T00:30:00Z'), endsAt: new Date('2026-10-25T01:45:00Z') }
  const second = { startsAt: new Date('2026-10-25T01:30:00Z'), endsAt: new Date('2026-10-25T01:45:00Z') }
  expect(await run([sourceEvent(1, { ...times, ...first }), sourceEvent(2, { ...times, ...second })])).toEqual([
    created(1),
    created(2),
  ])
  expect(await read(1, 'startsAt endsAt startsLocal')).toEqual({
    ...{ startsAt: '2026-10-25T00:30:00.000Z', endsAt: '2026-10-25T01:45:00.000Z', startsLocal: times.startsLocal },
  })
  expect(await read(2, 'startsAt startsLocal')).toEqual({
    ...{ startsAt: '2026-10-25T01:30:00.000Z', startsLocal: times.startsLocal },
  })
})

test('authors are the users of the mapping, or new users without credentials', async () => {
  const ada = await makeUser(app.db, 'author')
  await app.db.user.create({ data: { login: 'author-3', name: 'Of another site', role: 'subscriber' } })
  const authors = new Map([
    [1, ada.login.toUpperCase()],
    [2, 'grace'],
  ])
  const records = [1, 2, 3].map((author) => sourceVenue(author, { author }))
  await run(records, { authors })
  await run([sourceVenue(4, { author: 2 }), sourceVenue(5, { author: 3 }), sourceVenue(6, { author: 900 })], {
    authors,
  })
  const venues = await app.db.venue.findMany({
    include: { author: { include: { credentials: true } } },
    orderBy: { id: 'asc' },
  })
  expect(venues.map(({ author }) => author?.login)).toEqual([
    ada.login,
    'grace',
    'author-3-2',
    'grace',
    'author-3-2',
    'author-900',
  ])
  expect(venues[5]?.authorId).toBe(900)
  expect(venues[1]?.author).toMatchObject({ role: 'contributor', name: 'grace', credentials: [] })
})
