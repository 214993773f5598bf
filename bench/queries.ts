// GraphQL requests of the list and of one event.
import { print } from 'graphql'
import { addDays, addMonths, endOfDay, startOfDay, toWallClock } from '../src/basics/time.ts'
import { LegacyEventDocument, LegacyEventsDocument } from '../src/generated/graphql/graphql.ts'

export const language = 'en'

/** The default window of the legacy list: from the start of yesterday to the end of the day in two years. */
export function defaultWindow(now: Date): { from: Date; until: Date } {
  const today = toWallClock(now, 'UTC')
  const [first, last] = [addDays(today, -1).slice(0, 10), addMonths(today, 24).slice(0, 10)]
  return { from: new Date(`${startOfDay(first, '00:00')}Z`), until: new Date(`${endOfDay(last, '00:00')}Z`) }
}

/** Body of a GraphQL request with the fields of the legacy list. */
export function listQuery(now: Date): string {
  const { from, until } = defaultWindow(now)
  const filter = { startsAt: { gte: from }, endsAt: { lte: until } }
  const variables = { page: 1, filter, orderBy: { field: 'START_LOCAL' } }
  return JSON.stringify({ query: print(LegacyEventsDocument), operationName: 'LegacyEvents', variables })
}

/** Body of a GraphQL request for the ten events after a cursor, with the same fields as the list. */
export function connectionQuery(now: Date, after: string | null): string {
  const list = JSON.parse(listQuery(now)) as { query: string; variables: { filter: object; orderBy: object } }
  const { filter, orderBy } = list.variables
  const [, ...fragments] = list.query.split(/(?=^fragment )/m)
  const operation = `query EventsAfter($after: String, $filter: EventFilter, $orderBy: EventOrder) {
  events(first: 10, after: $after, filter: $filter, orderBy: $orderBy) {
    nodes { ...LegacyEventFields }
    pageInfo { endCursor }
  }
}`
  const query = `${operation}\n${fragments.filter((text) => !text.startsWith('fragment LegacyPageFields')).join('')}`
  return JSON.stringify({ query, operationName: 'EventsAfter', variables: { after, filter, orderBy } })
}

export function singleQuery(id: number): string {
  const variables = { id: String(id) }
  return JSON.stringify({ query: print(LegacyEventDocument), operationName: 'LegacyEvent', variables })
}
