// The query `changes`, with which clients keep copies of lists: first all records, then only what changed since.
import { hash } from 'node:crypto'
import { brandWithType } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { badInputError, syncTokenExpiredError } from '../../basics/errors.ts'
import { memoizeOnce } from '../../basics/memoize.ts'
import { kinds, type RecordKind, recordKinds } from '../../kinds.ts'
import { type Context, readFromPrimary } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { maxPageSize, pageSizeDescription } from '../../service/graphql/page-size.ts'
import { type EventFilterInput, toEventSelection } from '../event/filter.ts'
import { loadRecordById } from '../list/field-loader.ts'
import { recordListOf } from '../list/record-queries.ts'
import { getRecordReads } from '../list/records.ts'
import { enumValues, kindEnumValues } from '../rules/enums.ts'
import { globalId, nodeTypeName } from '../rules/identify.ts'
import { createChangeFinder, currentPosition, findWindowLimit, isInLog, type ListTraits } from './changed-records.ts'
import { type FormerEvent, findFormerEvents } from './former-events.ts'
import {
  adoptSyncToken,
  formatSyncToken,
  identifyList,
  parseSyncToken,
  type SyncPosition,
  type SyncToken,
} from './sync-token.ts'

export const kindValues = kindEnumValues(recordKinds, (kind) => `${kinds[kind].type}s.`.replace('ys.', 'ies.'))

export const RecordKindEnum = builder.enumType('RecordKind', { description: 'A kind of record.', values: kindValues })

const RecordChangeType = builder.enumType('RecordChangeType', {
  description: 'What a client does with its copy of a record.',
  values: enumValues({
    changed:
      'Store the record: it is new in the list, or something of it or of a record that it shows may have changed.',
    removed:
      'Remove the record: it is no longer in the list, because it was deleted, trashed, unpublished or hidden, or no longer meets the filter.',
  }),
})

interface RecordChange {
  readonly kind: RecordKind
  readonly id: number
  readonly type: 'changed' | 'removed'
  /** Whether the caller could not see the record before; only for `isStored`. */
  readonly isNew?: boolean
  readonly page: ChangePage
}

interface ChangePage {
  readonly changes: readonly RecordChange[]
  readonly token: string
  readonly hasMore: boolean
  readonly isSnapshot: boolean
  /** What calendars know of the events of the page, read once. */
  formerEvents(): Promise<ReadonlyMap<number, FormerEvent>>
}

const RecordChangeObject = builder.objectRef<RecordChange>('RecordChange').implement({
  description: 'A record that a client that follows `changes` has to store or to remove.',
  fields: (t) => ({
    type: t.expose('type', { type: RecordChangeType, description: 'Whether to store or to remove the record.' }),
    kind: t.expose('kind', { type: RecordKindEnum, description: 'Kind of the record.' }),
    recordId: t.id({ description: 'Global ID of the record.', resolve: ({ kind, id }) => globalId(kind, id) }),
    databaseId: t.exposeInt('id', { description: 'ID of the record.' }),
    formerUids: t.stringList({
      description:
        'UIDs by which a feed showed the event since the token, and which no event of the list has now: remove what has them. Empty for other records.',
      resolve: async ({ id, kind, page }) =>
        kind === 'event' ? ((await page.formerEvents()).get(id)?.uids ?? []) : [],
    }),
    cancelledSequence: t.int({
      nullable: true,
      description:
        'For events: a revision number (SEQUENCE) with which an iCalendar file cancels `formerUids`, higher than those that the event had.',
      resolve: async ({ id, kind, page }) =>
        kind === 'event' ? ((await page.formerEvents()).get(id)?.sequence ?? null) : null,
    }),
    record: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description:
        'The record as it is now; null for REMOVED, and if it was deleted meanwhile, which the next token tells.',
      resolve: (change, _args, context, info) => (change.type === 'removed' ? null : recordOf(change, context, info)),
    }),
  }),
})

const ChangePageObject = builder.objectRef<ChangePage>('ChangePage').implement({
  description: 'A page of changes.',
  fields: (t) => ({
    changes: t.field({
      type: [RecordChangeObject],
      description: 'The changes, each record at most once.',
      resolve: ({ changes }) => changes,
    }),
    token: t.exposeString('token', {
      description:
        'Store it with the records of this page, and send it as `after`, at once if `hasMore`, otherwise later.',
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether the next page is available now.' }),
    isSnapshot: t.exposeBoolean('isSnapshot', {
      description: 'Whether the page is a part of the first, complete copy, which has no removed records.',
    }),
  }),
})

const ChangeFilter = builder.inputType('ChangeFilter', {
  description: 'Selects the records to follow.',
  fields: (t) => ({
    kinds: t.field({ type: [RecordKindEnum], description: 'Kinds of records. Default: all kinds.' }),
    ...(Object.fromEntries(
      recordKinds.map((kind) => [
        kinds[kind].plural,
        t.field({
          type: recordListOf(kind).filter as never,
          description: `Only these ${kinds[kind].plural}, as in the list \`${kinds[kind].plural}\`.`,
        }),
      ]),
    ) as object),
  }),
})

type Filters = Readonly<Partial<Record<string, object | null>>>

builder.queryField('changes', (t) =>
  t.field({
    type: ChangePageObject,
    description:
      'Changes since a token. Without a token, it begins with all records: follow `token` until `hasMore` is false, and ask again later. A client that stores CHANGED and deletes REMOVED records has what a new read of the lists returns. Changes to an image, author, venue, organizer, category or tag are also changes to the records that show it. Fails with SYNC_TOKEN_EXPIRED if the log no longer has everything since the token, or if filter, language or user differ: then begin without a token. It reads from the primary database.',
    extensions: complexity({ slicingArguments: ['first'] }),
    args: {
      after: t.arg.string({ description: 'The `token` of the last page.' }),
      first: t.arg.int({ description: `Maximum of changes on the page. ${pageSizeDescription}` }),
      filter: t.arg({ type: ChangeFilter, description: 'Selects the records to follow. Default: all records.' }),
    },
    resolve: (_root, { after, first, filter }, context) => {
      context.recorder?.preventCaching()
      return readChanges({ after, first, filter }, readFromPrimary(context))
    },
  }),
)

interface ChangesRequest {
  readonly after: string | null | undefined
  readonly first: number | null | undefined
  readonly filter: object | null | undefined
  /** Whether the service stored the token itself: then it is valid for another list, too, and changes say what is new. */
  readonly isStored?: boolean
}

/** How many times one page looks for further candidates if few of them are in the list. */
const maxSearches = 20

export async function readChanges(
  { after, first, filter, isStored = false }: ChangesRequest,
  context: Context,
): Promise<ChangePage> {
  const { kinds: selected, ...filters } = (filter ?? {}) as Filters & { kinds?: readonly RecordKind[] | null }
  const listed = recordKinds.filter((kind) => selected?.includes(kind) ?? true)
  const size = pageSizeOf(first, context)
  // Read before the lists, whose searches are resolved to IDs: what changes after this position comes with the next token.
  const position = await currentPosition(context)
  const lists = await Promise.all(listed.map((kind) => createList(kind, filters[kinds[kind].plural], context)))
  const list = identifyList(listed, [filters, lists.map(({ days }) => days)], context)
  const given = after == null ? undefined : (isStored ? adoptSyncToken : parseSyncToken)(after, list, context)
  if (given && !(await isInLog(given.since ?? given.until, context))) throw syncTokenExpiredError()
  const isResumed = given?.place != null
  const opened: SyncToken = isResumed
    ? { ...given, until: { ...given.until, times: widen(given.until.times, context.now) } }
    : { list, since: given?.until ?? null, until: position, place: [0, 0] }
  const { since } = opened
  const limit = since ? await findWindowLimit(since, context) : undefined
  // Many changes are read in several windows.
  const isLimited = limit !== undefined && BigInt(limit) <= BigInt(opened.until.transaction)
  const until = isLimited ? { ...opened.until, transaction: limit } : opened.until
  const current = { ...opened, until }
  const finder = since && createChangeFinder({ since, until }, context)
  const changes: Omit<RecordChange, 'page'>[] = []
  let [index, last] = current.place ?? [0, 0]
  for (let searches = 0; index < lists.length && changes.length < size && searches < maxSearches; searches += 1) {
    const { kind, traits, findIds } = lists[index] as RecordList
    const room = size - changes.length
    // One more than the page has room for says whether there are more.
    const next = await (finder ? finder.findIds(kind, traits, last, room + 1) : findIds({ id: { gt: last } }, room + 1))
    const ids = next.slice(0, room)
    const found = new Set(finder ? await findIds({ id: { in: ids } }, room) : ids)
    const missing = ids.filter((id) => !found.has(id))
    const seen = finder ? await finder.findSeen(kind, missing, traits) : new Set()
    const created = finder && isStored ? await finder.findNew(kind, ids, traits) : undefined
    for (const id of ids) {
      const isNew = created?.has(id) ?? false
      if (found.has(id)) changes.push({ kind, id, type: 'changed', isNew })
      else if (seen.has(id)) changes.push({ kind, id, type: 'removed', isNew })
    }
    if (next.length > room) last = ids.at(-1) ?? 0
    else [index, last] = [index + 1, 0]
  }
  const isWindowRead = index === lists.length
  // The run may have begun long ago, by a client that was interrupted.
  const hasMore = !isWindowRead || isLimited || (isResumed && since !== null)
  const token = formatSyncToken({ ...current, place: isWindowRead ? null : [index, last] }, context)
  const page: { -readonly [Key in keyof ChangePage]: ChangePage[Key] } = {
    ...{ changes: [], token, hasMore, isSnapshot: since === null },
    formerEvents: memoizeOnce(() =>
      findFormerEvents(
        changes,
        lists.find(({ kind }) => kind === 'event'),
        finder,
        context,
      ),
    ),
  }
  page.changes = changes.map((change) => ({ ...change, page }))
  return page
}

const widen = ([first, last]: SyncPosition['times'], now: Date): SyncPosition['times'] => [
  Math.min(first, now.getTime()),
  Math.max(last, now.getTime()),
]

function pageSizeOf(first: number | null | undefined, { settings }: Context): number {
  const size = first ?? Math.min(50, maxPageSize(settings))
  if (size >= 1 && size <= maxPageSize(settings)) return size
  throw badInputError({ first: `Send a number from 1 to ${maxPageSize(settings)}.` })
}

interface RecordList {
  readonly kind: RecordKind
  readonly traits: ListTraits
  /** What days of the filter that are relative to the current day mean now. */
  readonly days: string | undefined
  readonly where: object
  /** Returns the first IDs of the list that meet the condition, in order. */
  findIds(condition: object, limit: number): Promise<number[]>
}

async function createList(kind: RecordKind, filter: object | null | undefined, context: Context): Promise<RecordList> {
  const where = await whereOf(kind, filter ?? {}, context)
  const names = namesIn(filter)
  const traits = {
    comparesTimes: names.has('when') || names.has('onlyWithUpcoming'),
    isOfHidden: kind === 'event' && (filter as EventFilterInput | null | undefined)?.hideFromListings === true,
    hasNextOnly: kind === 'event' && (filter as EventFilterInput | null | undefined)?.occurrences === 'next',
    dependsOnEvents: kind === 'category' || kind === 'tag' || names.has('hasEvents') || names.has('onlyWithUpcoming'),
  }
  return {
    ...{ kind, traits, where },
    days: names.has(relativeDay) ? digestWithout(context.now, where) : undefined,
    async findIds(condition, limit) {
      const args = { where: { AND: [where, condition] }, select: { id: true }, orderBy: { id: 'asc' }, take: limit }
      const rows = (await getRecordReads(context, kind).findMany(args)) as { readonly id: number }[]
      return rows.map(({ id }) => id)
    },
  }
}

async function whereOf(kind: RecordKind, filter: object, context: Context): Promise<object> {
  // A list of events that resemble the searched words, because none has them, would change with any event.
  if (kind === 'event') return (await toEventSelection(filter, context, { isExact: true })).where
  return (await recordListOf(kind).list({ filter }, context)).where ?? {}
}

const relativeDay = '(relative day)'

/** The names of all criteria in a filter. */
function namesIn(filter: unknown): ReadonlySet<string> {
  if (typeof filter !== 'object' || filter === null) return new Set()
  if ('isRelative' in filter) return new Set(filter.isRelative ? [relativeDay] : [])
  const entries = Object.entries(filter).filter(([, value]) => value != null)
  return new Set(entries.flatMap(([name, value]) => [name, ...namesIn(value)]))
}

const digestWithout = (now: Date, where: object): string =>
  hash('sha256', JSON.stringify(where).replaceAll(now.toISOString(), 'now'), 'base64url')

async function recordOf({ kind, id }: RecordChange, context: Context, info: GraphQLResolveInfo) {
  const record = await loadRecordById(kind, id, context, info, readFromPrimary(context))
  if (record) brandWithType(record, nodeTypeName(kind) as never)
  return record
}
