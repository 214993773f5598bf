// Helpers for tests of REST writes: paths, encodings, and the required fields of each kind of record.
import qs from 'qs'

export const ns = '/cal/events/v1'

/** Fields as a URL-encoded form with brackets. */
export const form = (fields: object): string => qs.stringify(fields, { arrayFormat: 'indices' })

/** The two encodings that every write accepts. */
export const encodings: readonly [name: string, encode: (fields: object) => object | string][] = [
  ['JSON', (fields) => fields],
  ['a form', form],
]

/**
 * The encodings that the row of a table with this index is sent in: one, each in turn, as one parser reads all fields. Both in
 * `npm run test:full`.
 */
export const encodingsOf = (index: number) =>
  encodings.filter((_, encoding) => process.env.PROPERTY_RUNS === 'all' || encoding === index % 2)

/** Adds the index to each row of a table. */
export const numbered = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
  rows.map((row, index): [...Row, number] => [...row, index])

export const posts = ['events', 'venues', 'organizers'] as const
export const terms = ['categories', 'tags'] as const
export const kinds = [...posts, ...terms] as const
export type Kind = (typeof kinds)[number]

/** The parameter for the title or name. */
export const nameField: Readonly<Record<Kind, string>> = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
}

/** The required fields of a new record. */
export const newRecord = (kind: Kind, name: string): Record<string, unknown> => ({
  [nameField[kind]]: name,
  ...(kind === 'events' ? { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' } : {}),
})

export const invalid = (...params: string[]) => [400, 'rest_invalid_param', params]
export const missing = (...params: string[]) => [400, 'rest_missing_callback_param', params]

/** Status, code and parameters of an error response. */
export function errorOf({ status, body }: { status: number; body: ErrorBody }): unknown[] {
  const { params } = body.data ?? {}
  const names = params === undefined ? [] : [Array.isArray(params) ? params : Object.keys(params).sort()]
  return [status, body.code, ...names]
}

interface ErrorBody {
  readonly code?: string
  readonly data?: { readonly params?: object }
}
