// GraphQL requests of the list and of one event.
import { print } from 'graphql'
import { LegacyEventDocument, LegacyEventsDocument } from '../src/generated/graphql/graphql.ts'
import { addDays, addMonths, endOfDay, startOfDay, toWallClock } from '../src/time.ts'

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

export function singleQuery(id: number): string {
  const variables = { id: String(id) }
  return JSON.stringify({ query: print(LegacyEventDocument), operationName: 'LegacyEvent', variables })
}
