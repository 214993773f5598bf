// What the form of a record sends to the service.
import { toWebsite } from '../../address.ts'
import type { UserErrorPartsFragment } from '../../gql/graphql.ts'
import type { Picture } from '../event/picture.ts'
import type { Coordinates, FieldName, Item, Values } from './kinds.ts'

/** Returns the input of the fields, or what is wrong with them. */
export function readInput(
  data: FormData,
  fields: readonly FieldName[],
  picture: Picture | null,
  item: Item | undefined,
): { readonly input: Values & { readonly name: string }; readonly errors: readonly UserErrorPartsFragment[] } {
  const read = (name: string) => String(data.get(name) ?? '').trim()
  const texts = fields
    .filter((field) => field !== 'coordinates' && field !== 'imageId')
    // An unchanged description is not sent: one that was stored as plain text would become HTML.
    .filter((field) => field !== 'description' || read(field) !== (item?.description ?? '').trim())
  const name = read('name')
  const { coordinates, errors } = readCoordinates(read)
  return {
    input: {
      ...Object.fromEntries(texts.map((field) => [field, read(field)])),
      ...(fields.includes('website') && { website: toWebsite(read('website')) }),
      ...(fields.includes('parentId') && { parentId: read('parentId') || null }),
      ...(fields.includes('coordinates') && { coordinates }),
      ...(picture?.id !== item?.image?.id && { imageId: picture?.id ?? null }),
      name,
    },
    errors: [...(name === '' ? [problem('name')] : []), ...errors],
  }
}

export const axes = ['latitude', 'longitude'] as const

function readCoordinates(read: (name: string) => string) {
  const texts = axes.map((axis) => read(axis).replace(',', '.'))
  if (texts.every((text) => text === '')) return { coordinates: null, errors: [] }
  const [latitude = Number.NaN, longitude = Number.NaN] = texts.map((text) => Number(text || Number.NaN))
  const coordinates: Coordinates = { latitude, longitude }
  const wrong = axes.filter((axis) => !Number.isFinite(coordinates[axis]))
  return { coordinates, errors: wrong.map((axis) => problem('coordinates', axis)) }
}

const problem = (...path: string[]): UserErrorPartsFragment => ({
  ...{ code: 'BAD_INPUT', path, message: '', existingId: null, modifiedAt: null },
})
