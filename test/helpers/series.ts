// Writes and reads series, as clients of GraphQL do.
import type { ApiClient } from './app.ts'

export interface Schedule {
  readonly timeZone?: string
  readonly allDay?: boolean
  readonly recurrences?: readonly { startsLocal: string; endsLocal: string; rule: string }[]
  readonly extraDates?: readonly { startsLocal: string; endsLocal?: string }[]
  readonly excludedDates?: readonly string[]
}

export interface SeriesDate {
  readonly id: number
  readonly startsLocal: string
  readonly occurrence: string
}

type Client = Pick<ApiClient, 'graphql'>
type Input = Readonly<Record<string, unknown>>
export type Scope = 'THIS' | 'FOLLOWING' | 'ALL'

/** A schedule of one rule. The times are local times in Paris, such as `2027-01-05T19:00`. */
export const ruled = (startsLocal: string, rule: string, endsLocal?: string): Schedule => ({
  timeZone: 'Europe/Paris',
  recurrences: [
    {
      startsLocal: `${startsLocal}:00`,
      endsLocal: endsLocal ? `${endsLocal}:00` : `${startsLocal.slice(0, 11)}23:00:00`,
      rule,
    },
  ],
})

const withLists = (schedule: Schedule) => ({ recurrences: [], ...schedule })

/** What a mutation answers: the record, or its user errors as code and message. */
async function mutate(client: Client, document: string, variables: Input, root = '') {
  const { body } = await client.graphql(document, variables, root)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.result
}

export interface Written {
  readonly id: number
  readonly errors: readonly { readonly code: string; readonly message: string; readonly path: readonly string[] }[]
}

export async function tryToCreate(client: Client, input: Input & { schedule: Schedule }, root = ''): Promise<Written> {
  const document = `mutation ($input: CreateEventSeriesInput!) {
    result: createEventSeries(input: $input) { series { databaseId } userErrors { code message path } } }`
  const variables = { input: { title: 'Course', ...input, schedule: withLists(input.schedule) } }
  const { series, userErrors } = await mutate(client, document, variables, root)
  return { id: series?.databaseId, errors: userErrors }
}

export async function createSeries(client: Client, input: Input & { schedule: Schedule }, root = ''): Promise<number> {
  const { id, errors } = await tryToCreate(client, input, root)
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return id
}

export async function updateSeries(client: Client, input: Input & { schedule?: Schedule }, root = '') {
  const document = `mutation ($input: UpdateEventSeriesInput!) {
    result: updateEventSeries(input: $input) { userErrors { code message path } } }`
  const schedule = input.schedule && withLists(input.schedule)
  const { userErrors } = await mutate(client, document, { input: { ...input, schedule } }, root)
  return userErrors as Written['errors']
}

export async function updateDate(client: Client, scope: Scope, input: Input, root = '') {
  const document = `mutation ($input: UpdateEventInput!) {
    result: updateEvent(input: $input) { userErrors { code message path } } }`
  return (await mutate(client, document, { input: { ...input, scope } }, root)).userErrors as Written['errors']
}

/** Moves a date to the trash, restores it, or deletes it. */
export async function changeDate(
  client: Client,
  verb: 'trash' | 'restore' | 'delete',
  scope: Scope,
  input: Input,
): Promise<Written['errors']> {
  const document = `mutation ($input: RecordInput!) {
    result: ${verb}Event(input: $input) { userErrors { code message path } } }`
  return (await mutate(client, document, { input: { ...input, scope } })).userErrors
}

const dateFields = 'id: databaseId startsLocal occurrence'

/** The dates of a series in order, as `eventSeries.events` has them. Throws if it has more than 100. */
export async function datesOf(client: Client, id: number): Promise<SeriesDate[]> {
  const { body } = await client.graphql(
    `query ($id: ID!) { eventSeries(id: $id) { events(first: 100) { totalCount nodes { ${dateFields} } } } }`,
    { id: String(id) },
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.eventSeries.events.nodes
}

/** Fields of an event or a series; null if the client cannot read it. */
export async function readFields(
  client: Client,
  query: 'event' | 'eventSeries',
  id: number,
  fields: string,
  root = '',
) {
  const { body } = await client.graphql(
    `query ($id: ID!) { found: ${query}(id: $id) { ${fields} } }`,
    { id: String(id) },
    root,
  )
  const code = body.errors?.[0].extensions.code
  if (code !== undefined && !['NOT_FOUND', 'UNAUTHENTICATED', 'FORBIDDEN', 'TRASHED', 'NOT_ACCESSIBLE'].includes(code))
    throw new Error(JSON.stringify(body.errors))
  return body.data?.found ?? null
}

/** The starts of dates, without seconds. */
export const starts = (dates: readonly SeriesDate[]) => dates.map(({ startsLocal }) => startsLocal.slice(0, 16))
export const ids = (dates: readonly SeriesDate[]) => dates.map(({ id }) => id)
