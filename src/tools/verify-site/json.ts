// Reads JSON of unknown shape, and the records of the contract in it.

export type JsonObject = Readonly<Record<string, unknown>>

export const resources = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
export type Resource = (typeof resources)[number]

export const isResource = (name: string): name is Resource => (resources as readonly string[]).includes(name)

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Without fields if the value is no object. */
export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The objects of a list; none for another value. */
export const toObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** IDs are numbers; some sites send them as text. */
export function idOf(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id) && id > 0 ? id : undefined
}
