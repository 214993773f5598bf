// Reads values of JSON documents whose shape is unknown.

export type JsonObject = Readonly<Record<string, unknown>>

export const resourceNames = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
export type Resource = (typeof resourceNames)[number]

export const isResource = (name: string): name is Resource => (resourceNames as readonly string[]).includes(name)

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns an object; an empty one if the value is no object. */
export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Returns the objects of an array; none if the value is no array. */
export const toObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Converts a number or text to an ID; undefined if the value is no ID. */
export function toRecordId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id) && id > 0 ? id : undefined
}
