// What tests of writing by REST share: paths, encodings and fields that are enough for each kind of record.
import qs from 'qs'

export const ns = '/cal/events/v1'

/** Fields as a form with brackets says them. */
const form = (fields: object): string => qs.stringify(fields, { arrayFormat: 'indices' })

/** The same fields in the two encodings that every write takes. */
export const encodings: readonly [name: string, encode: (fields: object) => object | string][] = [
  ['JSON', (fields) => fields],
  ['a form', form],
]

export const posts = ['events', 'venues', 'organizers'] as const
export const terms = ['categories', 'tags'] as const
export const kinds = [...posts, ...terms] as const
export type Kind = (typeof kinds)[number]

/** Parameter of the title or name. */
export const nameField: Readonly<Record<Kind, string>> = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
}

/** What a new record must have. */
export const newRecord = (kind: Kind, name: string): Record<string, unknown> => ({
  [nameField[kind]]: name,
  ...(kind === 'events' ? { start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' } : {}),
})

export const invalid = (...params: string[]) => [400, 'rest_invalid_param', params]
export const missing = (...params: string[]) => [400, 'rest_missing_callback_param', params]

/** Status, code and the parameters that an error names. */
export function refusal({ status, body }: { status: number; body: Refused }): unknown[] {
  const { params } = body.data ?? {}
  const named = params === undefined ? [] : [Array.isArray(params) ? params : Object.keys(params).sort()]
  return [status, body.code, ...named]
}

interface Refused {
  readonly code?: string
  readonly data?: { readonly params?: object }
}
