// The current content of a database, and values of arguments and parameters that match it.
import fc from 'fast-check'
import type { TestApp } from './app.ts'
import type { Values } from './cached-values.ts'
import { eventDraws, linkedDraws, nobody, termDraws } from './oracle-draw.ts'
import type { World } from './oracle-facts.ts'
import { password } from './oracle-save.ts'
import { wallText } from './oracle-time.ts'

export const postKinds = ['event', 'venue', 'organizer'] as const
export const termKinds = ['category', 'tag'] as const
export const recordKinds = [...postKinds, ...termKinds] as const
export type RecordKind = (typeof recordKinds)[number]

export const pluralOf: Readonly<Record<RecordKind, 'events' | 'venues' | 'organizers' | 'categories' | 'tags'>> = {
  ...{ event: 'events', venue: 'venues', organizer: 'organizers' },
  ...{ category: 'categories', tag: 'tags' },
}

export interface Content {
  readonly world: World
  /** By kind; image and user too. */
  readonly ids: Readonly<Record<string, readonly number[]>>
  readonly trashed: Readonly<Record<string, readonly number[]>>
  readonly slugs: Readonly<Record<string, readonly string[]>>
  /** IDs that anonymous users can see, by kind. */
  readonly open: Readonly<Record<string, readonly Found[]>>
  /** By the name of the list. */
  readonly cursors: Readonly<Record<string, readonly string[]>>
}

interface Found {
  /** Opaque ID. */
  readonly id: string
  readonly databaseId: number
  readonly slug: string
  readonly locked?: boolean
}

interface Row {
  readonly kind: string
  readonly id: number
  readonly trashed: boolean
  readonly slugs: readonly string[]
}

const part = (kind: string, status: string) => `
  SELECT '${kind}' AS kind, id, ${status} AS trashed,
    ARRAY(SELECT slug FROM ${kind}_slug WHERE ${kind}_id = id ORDER BY slug) AS slugs FROM ${kind}`
const statement = [
  ...postKinds.map((kind) => part(kind, `status = 'trash'`)),
  ...termKinds.map((kind) => part(kind, 'false')),
  `SELECT 'series', id, false, '{}'::text[] FROM series`,
  `SELECT 'image', id, false, '{}'::text[] FROM image`,
  // The tests write as administrators, who must not change.
  `SELECT 'user', id, false, '{}'::text[] FROM "user" WHERE role <> 'administrator'`,
].join(' UNION ALL ')

export async function readContent(app: TestApp, world: World): Promise<Content> {
  const rows = await app.db.$queryRawUnsafe<Row[]>(`${statement} ORDER BY 1, 2`)
  const by = <Value>(values: (row: Row) => readonly Value[]) =>
    Object.fromEntries(
      [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, those]) => [kind, those.flatMap(values)] as const),
    )
  const open: Record<string, Found[]> = {}
  const cursors: Record<string, string[]> = {}
  for (const kind of recordKinds) {
    const list = pluralOf[kind]
    const fields = `id databaseId slug ${postKinds.some((post) => post === kind) ? 'locked' : ''}`
    const { body } = await app.graphql(`{ list: ${list}(first: 50) { edges { cursor node { ${fields} } } } }`)
    const edges: { cursor: string; node: Found }[] = body.data.list.edges
    open[kind] = edges.slice(0, 12).map(({ node }) => node)
    cursors[list] = edges.map(({ cursor }) => cursor)
  }
  const { body } = await app.graphql('{ images(first: 12) { edges { cursor } } }')
  cursors.images = body.data.images.edges.map(({ cursor }: { cursor: string }) => cursor)
  return {
    ...{ world, open, cursors },
    ids: by(({ id }) => [id]),
    slugs: by(({ slugs }) => slugs),
    trashed: by(({ id, trashed }) => (trashed ? [id] : [])),
  }
}

const oneOf = <Value>(values: readonly Value[] = []): fc.Arbitrary<Value> => fc.constantFrom(...values)
const several = <Value>(values: readonly Value[] = []) => fc.subarray([...values], { minLength: 1, maxLength: 4 })

/** Event IDs, most of them visible. */
const ofEvent = ({ open, ids }: Content): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 4, arbitrary: oneOf(open.event).map(({ databaseId }) => databaseId) },
    { weight: 1, arbitrary: oneOf([...(ids.event ?? []), nobody]) },
  )

/** Values for the arguments of queries. */
export function queryValues(content: Content): Values {
  const { world, ids, slugs, open, cursors } = content
  const { near, runningAt, ...events } = eventDraws(world)
  const { categories, venues, organizers, search } = events
  const nested = fc.record(
    { categories, venues, organizers, search, when: oneOf(['UPCOMING', 'PAST']) },
    { requiredKeys: [] },
  )
  const statuses = oneOf([['PUBLISHED'], ['PUBLISHED'], ['PUBLISHED', 'SCHEDULED'], ['DRAFT']])
  const wall = oneOf(world.events.flatMap(({ start, end }) => [start, end])).chain((text) =>
    oneOf([0, 1000, -1000]).map((by) => wallText(Date.parse(`${text}Z`) + by)),
  )
  const day = dayText(events.start_date)
  const timeZone = oneOf(['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'])
  const match = oneOf(['WITHIN', 'STARTING', 'OVERLAPPING'])
  const bounds = (type: string, values: fc.Arbitrary<unknown>) =>
    Object.fromEntries(['gt', 'gte', 'lt', 'lte'].map((name) => [`${type}.${name}`, values]))
  const filter = (type: string, draws: Readonly<Record<string, fc.Arbitrary<unknown>>>, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [`${type}.${name}`, draws[name] ?? fc.constant(null)]))
  const singles = recordKinds.map((kind) => ({
    [`Query.${kind}(id:)`]: oneOf([...(ids[kind] ?? []).map(String), ...(open[kind] ?? []).map(({ id }) => id)]),
    [`Query.${kind}(slug:)`]: oneOf([...(slugs[kind] ?? []), ...(open[kind] ?? []).map(({ slug }) => slug)]),
  }))
  const connections = { events: 'Event', venues: 'Venue', organizers: 'Organizer', categories: 'Category', tags: 'Tag' }
  const lists = Object.entries(connections).map(([list, type]) => ({
    [`${type}Connection(after:)`]: oneOf(cursors[list]),
    [`${type}Connection(before:)`]: oneOf(cursors[list]),
  }))
  const allNodes = [
    ...Object.values(open).flatMap((some) => some.map(({ id }) => id)),
    ...(ids.image ?? []).map((id) => btoa(`Image:${id}`)),
    ...(ids.user ?? []).map((id) => btoa(`User:${id}`)),
  ]
  const aSeries = oneOf([...(ids.series ?? []), nobody].map(String))
  const anImage = oneOf([...(ids.image ?? []), nobody].map(String))
  const aCursor = oneOf([...(cursors.images ?? []), ''])
  const termNames = ['search', 'include', 'exclude', 'slug']
  const filters = ['VenueFilter', 'OrganizerFilter', 'CategoryFilter', 'TagFilter']
  return {
    ...Object.assign({}, ...singles, ...lists),
    'Query.eventSeries(id:)': aSeries,
    ...{
      'Query.event(day:)': oneOf(['2026-11-20', '2026-12-10', '2026-12-11']),
      'Query.event(dayNumber:)': oneOf([1, 2]),
    },
    'EventFilter.series': aSeries.map((id) => [id]),
    ...{ 'Query.node(id:)': oneOf(allNodes), 'Query.nodes(ids:)': several(allNodes) },
    'Query.changes(after:)': fc.constant('no token'),
    ...{ 'Query.auditLog(after:)': fc.constant('no cursor'), 'Query.auditLog(before:)': fc.constant('no cursor') },
    ...{ 'AuditLogFilter.users': oneOf([['1']]), 'AuditLogFilter.records': oneOf([[btoa('User:1')]]) },
    ...{
      'AuditLogFilter.from': fc.constant('2026-11-01T00:00:00Z'),
      'AuditLogFilter.to': fc.constant('2026-12-01T00:00:00Z'),
    },
    ...{ 'Query.similarEvents(title:)': oneOf(['Jazz', 'Concert']), 'Query.similarEvents(day:)': day },
    'TranslationTaskFilter.records': oneOf([[btoa('Venue:1')]]),
    ...{
      'TranslationTaskConnection(after:)': fc.constant('no cursor'),
      'TranslationTaskConnection(before:)': fc.constant('no cursor'),
    },
    ...{ 'Query.proposals(after:)': fc.constant('no cursor'), 'Query.proposals(before:)': fc.constant('no cursor') },
    'Query.proposal(token:)': fc.constant('no token'),
    'AuditLogFilter.sources': oneOf([['rest']]),
    'RecurrenceInput.rule': oneOf(['FREQ=DAILY;COUNT=3', 'FREQ=WEEKLY']),
    ...{ 'RecurrenceInput.startsLocal': wall, 'RecurrenceInput.endsLocal': fc.constant('2027-01-01T00:00:00') },
    ...{ 'ExtraDateInput.startsLocal': wall, 'ExtraDateInput.endsLocal': fc.constant('2027-01-01T00:00:00') },
    ...{
      'ScheduleInput.excludedDates': oneOf([['2026-11-21'], ['2026-11-22', '2026-11-23']]),
      'ScheduleInput.timeZone': timeZone,
    },
    ...{
      'RevisionConnection(after:)': fc.constant('no cursor'),
      'RevisionConnection(before:)': fc.constant('no cursor'),
    },
    'Query.sitemapPages(part:)': fc.constant(1),
    'Query.eventCalendar(from:)': oneOf(['-1 week', 'yesterday', '2026-11-14']),
    'Query.eventCalendar(to:)': oneOf(['today', '+2 weeks', '2026-12-20']),
    'Query.eventCalendar(timeZone:)': timeZone,
    'Query.searchSuggestions(prefix:)': oneOf(['a', 'c', 'co', 'jazz', 'e']),
    'Query.image(id:)': anImage,
    ...{ 'Query.images(after:)': aCursor, 'Query.images(before:)': aCursor },
    'ImageFilter.include': anImage.map((id) => [id]),
    'ImageFilter.search': oneOf(['o', 'two', 'x']),
    'ImageFilter.slugs': oneOf([['one', 'two'], ['three'], ['four']]),
    'ImageFilter.authors': several([...(ids.user ?? []), nobody].map(String)),
    'ImageFilter.used': fc.boolean(),
    'ImageFilter.mimeType': oneOf(['image/png', 'image/jpeg']),
    ...{ '(first:)': oneOf([1, 2, 3]), '(last:)': oneOf([1, 2, 3]) },
    ...{ '(page:)': oneOf([1, 1, 2, 3]), '(perPage:)': oneOf([1, 2, 5, 20]) },
    // The second is the former spelling.
    Near: fc.oneof(
      near,
      near.map(({ center, ...circle }) => ({ ...center, ...circle })),
    ),
    CoordinatesInput: near.map(({ center }) => center),
    ...{ ...bounds('InstantRange', runningAt), ...bounds('LocalRange', wall) },
    ...{ 'EventFilter.startsOn': day, DayRange: fc.record({ from: day, to: day, timeZone, match }) },
    ...filter('EventFilter', events, ['include', 'search', 'venues', 'organizers', 'categories', 'tags', 'parent']),
    // The plural finds the same only with the stems of words.
    'EventFilter.search': fc.oneof(
      events.search,
      events.search.map((text) => `${text}s`),
    ),
    ...filter('EventFilter', events, ['placeName', 'cities', 'price']),
    'EventFilter.authors': several([...(ids.user ?? []), nobody].map(String)),
    ...{ 'EventFilter.not': nested, 'EventFilter.any': fc.array(nested, { minLength: 1, maxLength: 2 }) },
    'EventFilter.uids': several((ids.event ?? []).map((id) => `${id}@calendar.test`)),
    ...{ 'EventFilter.runningAt': runningAt, 'EventFilter.status': statuses },
    ...filter('VenueFilter', linkedDraws(world, 'venues'), ['include', 'search']),
    ...filter('OrganizerFilter', linkedDraws(world, 'organizers'), ['include', 'search']),
    ...{ 'VenueFilter.status': statuses, 'OrganizerFilter.status': statuses },
    'VenueFilter.authors': several([...(ids.user ?? []), nobody].map(String)),
    'OrganizerFilter.authors': several([...(ids.user ?? []), nobody].map(String)),
    ...filter('CategoryFilter', termDraws(world, 'categories'), [...termNames, 'parent']),
    ...filter('TagFilter', termDraws(world, 'tags'), termNames),
    ...Object.fromEntries(filters.map((type) => [`${type}.event`, ofEvent(content)])),
    '(password:)': oneOf([password, 'wrong']),
  }
}

/** Dates of both APIs, some of them relative to the current time. */
const dayText = (dates: fc.Arbitrary<{ readonly text: string }>) =>
  fc.oneof(
    { weight: 3, arbitrary: dates.map(({ text }) => text) },
    { weight: 1, arbitrary: oneOf(['today', 'tomorrow 9am', 'now', '+2 days', '-1 week']) },
  )

/** Values for the parameters of REST reads, by resource and name or by name. */
export function parameterValues(content: Content): Values {
  const { world, ids, slugs } = content
  const { near, ...events } = eventDraws(world)
  const dates = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
  const date = dayText(events.start_date)
  const numbers = (draws: fc.Arbitrary<readonly number[]>) => draws.map((some) => some.join(','))
  const names = (draws: fc.Arbitrary<readonly string[]>) => draws.map((some) => some.map(encodeURIComponent).join(','))
  const flag = oneOf(['true', 'false'])
  const linked = (kind: 'venues' | 'organizers') => {
    const { search } = linkedDraws(world, kind)
    return { [`${kind}.search`]: search, [`${kind}.event`]: ofEvent(content).map(String) }
  }
  const terms = (kind: 'categories' | 'tags') => {
    const { search, include, exclude, slug, parent } = termDraws(world, kind)
    const own = { search, slug, include: names(include), exclude: names(exclude) }
    const event = ofEvent(content).map(String)
    const numbered = { event, post: event, parent: parent.map(String) }
    return Object.fromEntries(Object.entries({ ...own, ...numbered }).map(([name, some]) => [`${kind}.${name}`, some]))
  }
  return {
    ...Object.fromEntries(dates.map((name) => [`events.${name}`, date])),
    ...{ 'events.include': numbers(events.include), 'events.search': events.search },
    ...{ 'events.categories': names(events.categories), 'events.tags': names(events.tags) },
    ...{ 'events.venue': numbers(events.venues), 'events.organizer': numbers(events.organizers) },
    'events.post_parent': events.parent.map(String),
    ...{
      'events.geoloc_lat': near.map(({ center }) => center.latitude),
      'events.geoloc_lng': near.map(({ center }) => center.longitude),
    },
    'events.geoloc_radius': oneOf([1, 5, 500, 9000]),
    ...{ 'events.series': oneOf(['1', String(nobody)]), 'events.hide_subsequent_recurrences': flag },
    ...{ ...linked('venues'), ...linked('organizers'), ...terms('categories'), ...terms('tags') },
    ...Object.fromEntries(recordKinds.map((kind) => [`${pluralOf[kind]}.id`, oneOf(ids[kind]).map(String)])),
    ...Object.fromEntries(recordKinds.map((kind) => [`${pluralOf[kind]}.slug/path`, oneOf(slugs[kind])])),
    sync_token: oneOf(['', 'no token']),
    ...{ page: oneOf(['1', '2', '3']), per_page: oneOf(['1', '2', '5', '20']) },
    ...{ featured: flag, ticketed: flag, geoloc: flag, strict_dates: flag, hide_empty: flag },
    ...{ has_events: flag, only_with_upcoming: flag },
    ...{ order: oneOf(['asc', 'desc']), status: oneOf(['publish', 'publish,future', 'draft']) },
    orderby: oneOf(['name', 'id', 'slug', 'description', 'count', 'parent', 'include']),
    ...{
      password: oneOf([password, 'wrong']),
      context: oneOf(['view', 'edit']),
      namespace: oneOf(['events/v1', 'nope']),
    },
    translation_language: oneOf(['en', 'fr', 'es']),
  }
}
