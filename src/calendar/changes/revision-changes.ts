// What a revision changed, by GraphQL field and language, as far as the caller may see it.

import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { imageUrl } from '../image/type.ts'
import {
  type LoggedField,
  loggedFields,
  parseLoggedKey,
  type RevisedKind,
  withoutImpliedInstants,
} from '../lifecycle/logged-fields.ts'
import { getRecordReads } from '../list/records.ts'
import { listedPostsFilter, notTrashedFilter, readableFilter } from '../rules/status.ts'
import { usableImagesFilter } from '../rules/visibility.ts'

type Pair = readonly [before: unknown, after: unknown]

/** [before, after] by the keys of the log. */
export type LoggedChanges = Readonly<Record<string, Pair>>

export interface FieldChange extends Pick<LoggedField, 'field' | 'language'> {
  readonly before: unknown
  readonly after: unknown
}

/** Kinds of linked records that the caller may not see all of. */
const hiddenKinds = { venue: 'venue', organizer: 'organizer', parent_id: 'event', image_id: 'image' } as const
type Reference = keyof typeof hiddenKinds

/** Says whether the caller may see a linked record. */
export type SeesLink = (reference: string, id: unknown) => boolean

/** Finds which of these linked records the caller may see. Editors see the IDs of all records, also of those that are gone. */
export async function findVisibleLinks(
  kind: RevisedKind,
  ids: readonly (readonly [reference: string, id: unknown])[],
  context: Context,
): Promise<SeesLink> {
  if (kind === 'category' || may(context.viewer, 'editOthers')) return () => true
  const filters: Readonly<Record<Reference, object>> = {
    venue: listedPostsFilter(context),
    organizer: listedPostsFilter(context),
    parent_id: { AND: [readableFilter(context), notTrashedFilter] },
    image_id: usableImagesFilter(context),
  }
  const found = await Promise.all(
    Object.entries(hiddenKinds).map(async ([reference, linked]) => {
      const wanted = ids.flatMap(([name, id]) => (name === reference && typeof id === 'number' ? id : []))
      if (wanted.length === 0) return [reference, new Set<unknown>()] as const
      const where = { AND: [{ id: { in: [...new Set(wanted)] } }, filters[reference as Reference]] }
      const rows = (await getRecordReads(context, linked).findMany({ where, select: { id: true } })) as { id: number }[]
      return [reference, new Set<unknown>(rows.map(({ id }) => id))] as const
    }),
  )
  const visible = new Map<string, ReadonlySet<unknown>>(found)
  return (reference, id) => id === null || (visible.get(reference)?.has(id) ?? true)
}

/** The linked records in changes, for `findVisibleLinks`. */
export const linksIn = (kind: RevisedKind, changes: LoggedChanges): [string, unknown][] =>
  Object.entries(changes).flatMap(([key, pair]) => {
    const { column, link } = parseLoggedKey(kind, key) ?? {}
    if (column === undefined || !Object.hasOwn(hiddenKinds, column)) return []
    return link === undefined
      ? pair.map((id): [string, unknown] => [column, id])
      : [[column, link] as [string, unknown]]
  })

/** Returns the changes by field and language. Links are lists of what was removed or moved, and of what was added or moved. */
export function toFieldChanges(
  kind: RevisedKind,
  changes: LoggedChanges,
  sees: SeesLink,
  context: Pick<Context, 'settings'>,
): FieldChange[] {
  const parsed = Object.entries(changes).flatMap(([key, pair]) => {
    const logged = parseLoggedKey(kind, key)
    return logged ? [{ ...logged, pair }] : []
  })
  const known = withoutImpliedInstants(parsed).filter(
    ({ language }) => language === null || context.settings.languages.includes(language),
  )
  const [links, values] = [
    known.filter(({ link }) => link !== undefined),
    known.filter(({ link }) => link === undefined),
  ]
  const single = values.map(({ field, language, column, pair }) => {
    const [before, after] = pair.map((value) => (sees(column, value) ? toJson(column, value, context) : null))
    return { field, language, before, after }
  })
  const lists = [...Map.groupBy(links, ({ column }) => column)].flatMap(([column, rows]) => {
    const visible = rows.filter(({ link }) => sees(column, link))
    const [before, after] = [0, 1].map((side) =>
      visible
        .filter(({ pair }) => pair[side] != null)
        .toSorted((a, b) => positionOf(a.pair[side]) - positionOf(b.pair[side]))
        .map(({ link, pair }) => (column === 'ticket' ? toTicket(pair[side]) : link)),
    )
    return [{ field: loggedFields[kind].links?.[column] ?? column, language: null, before, after }]
  })
  return [...single, ...lists]
    .filter(
      ({ before, after, field }) =>
        field === 'hasPassword' || field === 'email' || JSON.stringify(before) !== JSON.stringify(after),
    )
    .toSorted(
      (a, b) => a.field.localeCompare(b.field, 'en') || (a.language ?? '').localeCompare(b.language ?? '', 'en'),
    )
}

const positionOf = (row: unknown) => (row as { readonly position?: number }).position ?? 0

const enumColumns = new Set(['event_status', 'attendance_mode'])
const statusNames: Readonly<Record<string, string>> = { publish: 'PUBLISHED', future: 'SCHEDULED' }

/** Returns the value of a column as the GraphQL field has it. */
function toJson(column: string, value: unknown, context: Pick<Context, 'settings'>): unknown {
  if (column === 'password_key') return value !== null
  if (typeof value !== 'string') return value
  if (column === 'url') return imageUrl(value, context)
  if (column === 'status') return statusNames[value] ?? value.toUpperCase()
  if (enumColumns.has(column)) return value.toUpperCase()
  return column.endsWith('_at') ? new Date(value).toISOString() : value
}

interface TicketRow {
  readonly name: string
  readonly price: number
  readonly currency: string
  readonly capacity: number | null
  readonly sales_start: string | null
  readonly sales_end: string | null
}

const toDate = (value: string | null) => (value === null ? null : new Date(value))

/** Returns a logged ticket in the form of the input. */
export function toTicket(row: unknown) {
  const { name, price, currency, capacity, sales_start, sales_end } = row as TicketRow
  const [salesStart, salesEnd] = [toDate(sales_start), toDate(sales_end)]
  return { name, price: price.toFixed(2), currency, capacity, salesStart, salesEnd }
}
