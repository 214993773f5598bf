// Every column of an event that the create input can set, in any combination, is stored and read back.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromRecordStatus, toRecordStatus } from '../../src/basics/record-status.ts'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import type { AttendanceMode, EventStatus, Status } from '../../src/generated/prisma/enums.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeImage } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'

/** A row with all its columns: a column that the test does not know is a compile error here and a difference below. */
type Row = Prisma.EventGetPayload<object>

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let ids: { readonly admin: number; readonly author: number; readonly parent: number; readonly image: number }
let key: string

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  const { id: author } = await app.signIn('author')
  const [parent, image] = [await makeEvent(app.db, 'Festival'), await makeImage(app.db)]
  ids = { admin: admin.id, author, parent, image }
  key = await hashRecordPassword('sesame', app.site.passwordSalt)
})
afterAll(() => app?.close())

/** Minutes east of UTC in May. */
const offsets: Readonly<Record<string, number>> = { UTC: 0, 'Europe/Paris': 120, 'UTC+5:30': 330 }

const clocks = { start: '2027-05-01T20:00:00', end: '2027-05-02T01:30:00' }

/** Absent, null, or one of these. */
const optional = <Value>(...values: readonly Value[]) => fc.constantFrom(undefined, null, ...values)

const scalars = {
  description: optional('', '<p>An evening</p>'),
  excerpt: optional('', 'Short'),
  slug: optional('', 'given'),
  status: optional('PUBLISHED', 'SCHEDULED', 'DRAFT', 'PENDING', 'PRIVATE', 'TRASH'),
  publishedAt: optional('2026-01-02T03:04:05.678Z', '2027-01-01T00:00:00.000Z'),
  authorId: optional('admin' as const, 'author' as const),
  imageId: optional('image' as const),
  parentId: optional('parent' as const),
  password: optional('', 'sesame'),
  timeZone: optional('', 'Europe/Paris', 'UTC+5:30'),
  allDay: optional(true, false),
  cost: optional<string[]>([], ['12'], ['8', '12']),
  website: optional('', 'https://example.org/'),
  showMap: optional(true, false),
  showMapLink: optional(true, false),
  hideFromListings: optional(true, false),
  sticky: optional(true, false),
  featured: optional(true, false),
  eventStatus: optional('SCHEDULED', 'CANCELLED', 'POSTPONED', 'RESCHEDULED', 'MOVED_ONLINE'),
  attendanceMode: optional('OFFLINE', 'ONLINE', 'MIXED'),
  onlineUrl: optional('', 'https://example.org/room'),
  previousStartsAt: optional('2026-12-31T22:30:00.000Z'),
  uid: optional('', 'kept@example.org'),
  sequence: optional(0, 7),
  customFields: optional<{ key: string; label: string; value: unknown }[]>(
    [],
    [{ key: 'stage', label: 'Stage', value: { left: [1, null], right: '' } }],
    [
      { key: 'a', label: '', value: false },
      { key: 'b', label: 'B', value: 0 },
    ],
  ),
}
type Scalars = {
  [Name in keyof typeof scalars]: (typeof scalars)[Name] extends fc.Arbitrary<infer Value> ? Value : never
}

/** Instants and local times are alternatives. */
const times = fc.record({
  start: fc.constantFrom('startsAt', 'startsLocal'),
  end: fc.constantFrom('endsAt', 'endsLocal'),
})

/** Fields that other tests cover: links, and alternatives for images and texts. */
const others = ['imageUrl', 'imageFile', 'translations', 'venues', 'organizers', 'categories', 'tags', 'tickets']

test('the test knows every field of the input', async () => {
  const { body } = await admin.graphql('{ __type(name: "CreateEventInput") { inputFields { name } } }')
  const names = body.data.__type.inputFields.map(({ name }: { name: string }) => name)
  const knownFields = ['title', 'startsAt', 'startsLocal', 'endsAt', 'endsLocal', ...Object.keys(scalars), ...others]
  expect(names.toSorted()).toEqual(knownFields.toSorted())
})

const idOf = (name: keyof typeof ids | null | undefined) => (name == null ? name : ids[name])

function inputOf(title: string, input: Scalars, { start, end }: { start: string; end: string }) {
  const { authorId, imageId, parentId, slug, uid } = input
  return {
    ...input,
    title,
    [start]: start === 'startsAt' ? `${clocks.start}Z` : clocks.start,
    [end]: end === 'endsAt' ? `${clocks.end}Z` : clocks.end,
    slug: slug === 'given' ? `given-${title}` : slug,
    uid: uid ? `${title}-${uid}` : uid,
    ...{ authorId: idOf(authorId), imageId: idOf(imageId), parentId: idOf(parentId) },
  }
}

const minutes = (date: Date, by: number) => new Date(date.getTime() + by * 60_000)

/** A time as local time and instant, computed from one of them. */
function moment(clock: string, isInstant: boolean, offset: number) {
  const date = new Date(`${clock}Z`)
  return isInstant ? { local: minutes(date, offset), at: date } : { local: date, at: minutes(date, -offset) }
}

function scheduleOf({ timeZone, allDay }: Scalars, fieldNames: { start: string; end: string }) {
  const zone = timeZone || 'UTC'
  const offset = offsets[zone] ?? 0
  const start = moment(clocks.start, fieldNames.start === 'startsAt', offset)
  const end = moment(clocks.end, fieldNames.end === 'endsAt', offset)
  if (!allDay) return { zone, start, end }
  const dayOf = ({ local }: { local: Date }) => local.toISOString().slice(0, 10)
  return {
    zone,
    start: moment(`${dayOf(start)}T00:00:00`, false, offset),
    end: moment(`${dayOf(end)}T23:59:59`, false, offset),
  }
}

function statusOf({ status, publishedAt }: Scalars): Status {
  const expectedValue = fromRecordStatus(status ?? 'PUBLISHED') as Status
  if (expectedValue !== 'publish' && expectedValue !== 'future') return expectedValue
  return publishedAt != null && new Date(publishedAt) > now ? 'future' : 'publish'
}

const stateOf = ({ eventStatus, attendanceMode, onlineUrl, previousStartsAt }: Scalars) => ({
  eventStatus: (eventStatus ?? 'SCHEDULED').toLowerCase() as EventStatus,
  attendanceMode: (
    attendanceMode ?? (eventStatus === 'MOVED_ONLINE' ? 'ONLINE' : 'OFFLINE')
  ).toLowerCase() as AttendanceMode,
  onlineUrl: onlineUrl || null,
  previousStartsAt: previousStartsAt ? new Date(previousStartsAt) : null,
})

/** Ascending, like the drawn values. */
const numbersOf = (cost: readonly string[] | null | undefined) => (cost ?? []).map(Number)

function expectedRow(id: number, title: string, input: Scalars, schedule: ReturnType<typeof scheduleOf>): Row {
  const status = statusOf(input)
  return {
    id,
    contentId: id,
    ...{
      seriesId: null,
      originalStartsLocal: null,
      dayNumber: 1,
      isExtra: false,
      changedFields: [],
      dateTexts: null,
      formerSeriesId: null,
      reviewMessage: null,
    },
    authorId: idOf(input.authorId) ?? ids.admin,
    status,
    live: status === 'publish' || status === 'future',
    trashedFrom: status === 'trash' ? 'draft' : null,
    publishedAt: input.publishedAt == null ? now : new Date(input.publishedAt),
    modifiedAt: now,
    originalLanguage: 'en',
    passwordKey: input.password ? key : null,
    imageId: idOf(input.imageId) ?? null,
    parentId: idOf(input.parentId) ?? null,
    startsAt: schedule.start.at,
    endsAt: schedule.end.at,
    startsLocal: schedule.start.local,
    endsLocal: schedule.end.local,
    lastsLong: schedule.end.local.getTime() - schedule.start.local.getTime() > 31 * 86_400_000,
    timeZone: schedule.zone,
    allDay: input.allDay ?? false,
    cost: input.cost ?? [],
    lowestCost: numbersOf(input.cost)[0] ?? null,
    highestCost: numbersOf(input.cost).at(-1) ?? null,
    costCurrency: input.cost?.length ? '' : null,
    lowestTicket: null,
    website: input.website ?? null,
    showMap: input.showMap ?? false,
    showMapLink: input.showMapLink ?? false,
    hideFromListings: input.hideFromListings ?? false,
    sticky: input.sticky ?? false,
    featured: input.featured ?? false,
    customFields: (input.customFields ?? []) as Prisma.JsonValue,
    ...stateOf(input),
    uid: input.uid ? `${title}-${input.uid}` : null,
    sequence: input.sequence ?? 0,
  }
}

const selection = `databaseId title description excerpt slug status publishedAt modifiedAt contentLanguage locked
  author { databaseId } image { databaseId } parent { databaseId } startsAt endsAt startsLocal endsLocal timeZone allDay
  eventStatus attendanceMode onlineUrl previousStartsAt uid sequence cost { values } costEntries website showMap showMapLink hideFromListings sticky featured customFields { key label value }`

const clockOf = (date: Date) => date.toISOString().slice(0, 19)

/** The GraphQL fields of a row and its text. */
function expectedRecord(row: Row, title: string, input: Scalars) {
  const { status } = row
  const hasSlug = status === 'publish' || status === 'future' || status === 'private'
  const slug = input.slug ? `given-${title}` : hasSlug ? title : ''
  const { authorId, imageId, parentId, allDay, showMap, showMapLink, hideFromListings, sticky, featured } = row
  const recordOf = (id: number | null) => (id === null ? null : { databaseId: id })
  return {
    ...{ databaseId: row.id, title, description: input.description ?? '', excerpt: input.excerpt ?? '' },
    slug: slug !== '' && status === 'trash' ? `${slug}__trashed` : slug,
    ...{ status: toRecordStatus(status), contentLanguage: 'EN', locked: false },
    ...{ publishedAt: row.publishedAt.toISOString(), modifiedAt: row.modifiedAt.toISOString() },
    ...{ author: recordOf(authorId), image: recordOf(imageId), parent: recordOf(parentId) },
    ...{ startsAt: row.startsAt.toISOString(), endsAt: row.endsAt.toISOString() },
    ...{ startsLocal: clockOf(row.startsLocal), endsLocal: clockOf(row.endsLocal), timeZone: row.timeZone, allDay },
    cost: row.cost.length === 0 ? null : { values: row.cost },
    costEntries: row.cost,
    ...{ eventStatus: row.eventStatus.toUpperCase(), attendanceMode: row.attendanceMode.toUpperCase() },
    ...{ onlineUrl: row.onlineUrl, previousStartsAt: row.previousStartsAt?.toISOString() ?? null },
    ...{ uid: row.uid ?? `${row.id}@${new URL(app.settings.publicUrl).host}`, sequence: row.sequence },
    ...{ website: row.website, showMap, showMapLink, hideFromListings, sticky, featured },
    customFields: row.customFields,
  }
}

test('any combination of set, unset, null, false and empty columns is stored and read back', async () => {
  let created = 0
  const create = `mutation ($input: CreateEventInput!) @inContext(password: "sesame") {
    createEvent(input: $input) { event { ${selection} } userErrors { message path } } }`
  const property = fc.asyncProperty(fc.record(scalars), times, async (input, start) => {
    const title = `event-${++created}`
    const { body } = await admin.graphql(create, { input: inputOf(title, input, start) })
    expect(body.errors).toBeUndefined()
    const { event, userErrors } = body.data.createEvent
    expect(userErrors).toEqual([])
    const row = expectedRow(event.databaseId, title, input, scheduleOf(input, start))
    expect(await app.db.event.findUniqueOrThrow({ where: { id: row.id } })).toEqual(row)
    expect(event).toEqual(expectedRecord(row, title, input))
  })
  await fc.assert(property, { numRuns: runs(100) })
})
