// The expected result of a query: an error, or the IDs of the page.

import type { Kind, OracleQuery, QueryResult } from './oracle-client.ts'
import { nobody } from './oracle-draw.ts'
import { type EventField, type EventValues, listEvents, listLegacyEvents } from './oracle-events.ts'
import type { Reader, World } from './oracle-facts.ts'
import { type LinkedField, listLegacyLinked, listLinked } from './oracle-linked.ts'
import { editsOthers, mayFilterByStatus } from './oracle-readers.ts'
import { listTerms, type Order, type TermField, type TermValues, termByReference } from './oracle-terms.ts'
import type { Calendar } from './oracle-time.ts'

/** All matching IDs in order, or an error. */
export function expectedIds(
  oracleQuery: OracleQuery,
  legacy: boolean,
  calendar: Calendar,
  world: World,
  reader: Reader,
) {
  const { kind, values, order } = oracleQuery
  if (!mayFilterByStatus((values as EventValues).status, reader)) return 'refused'
  if ((legacy || oracleQuery.mustExist) && namesUnknown(kind, values, world)) return 'refused'
  if ((values as EventValues).hideFromListings && !editsOthers(reader)) return 'forbidden'
  if (kind === 'categories' || kind === 'tags') {
    const shown: TermValues = { ...(legacy ? { hideEmpty: true } : {}), ...values }
    return listTerms(kind, shown, order as Order<TermField> | undefined, world, reader)
  }
  if (kind !== 'events')
    return legacy
      ? listLegacyLinked(kind, values, world, reader)
      : listLinked(kind, values, order as Order<LinkedField> | undefined, world, reader)
  return legacy
    ? listLegacyEvents(values, calendar, world, reader)
    : listEvents(values, order as Order<EventField> | undefined, world, reader)
}

/** Whether all records in the filters exist (contract b.5); events in `include` need not. */
function namesUnknown(kind: Kind, values: OracleQuery['values'], world: World): boolean {
  const terms = kind === 'categories' || kind === 'tags'
  const { categories, tags, venues, organizers, authors, parent, include, exclude, event, not, any } =
    values as EventValues & TermValues
  const isUnknown = (id: number, records: readonly { readonly id: number }[]) => !records.some((one) => one.id === id)
  const isUnnamed = (item: string, of: 'categories' | 'tags') => !termByReference(item, world[of])
  return [
    categories?.some((item) => isUnnamed(item, 'categories')),
    tags?.some((item) => isUnnamed(item, 'tags')),
    venues?.some((id) => isUnknown(id, world.venues)),
    organizers?.some((id) => isUnknown(id, world.organizers)),
    authors?.includes(nobody),
    ...[...(not ? [not] : []), ...(any ?? [])].map((nested) => namesUnknown(kind, { ...nested }, world)),
    parent && isUnknown(parent, kind === 'categories' ? world.categories : world.events),
    event && isUnknown(event, world.events),
    terms && [...(include ?? []), ...(exclude ?? [])].some((item) => isUnnamed(String(item), kind)),
  ].some(Boolean)
}

export function pageOf(
  ids: readonly number[] | 'refused' | 'forbidden',
  oracleQuery: OracleQuery,
  legacy: boolean,
): QueryResult {
  if (typeof ids === 'string') return ids
  const { kind, page, perPage } = oracleQuery
  const shown = ids.slice((page - 1) * perPage, page * perPage)
  const terms = kind === 'categories' || kind === 'tags'
  if (legacy && !terms && page > 1 && shown.length === 0) return 'beyond the end'
  return { ids: shown, total: ids.length, pages: Math.ceil(ids.length / perPage) }
}
