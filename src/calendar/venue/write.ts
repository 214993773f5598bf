import { badInputError } from '../../basics/errors.ts'
import { checkAll, checkAtPath } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { resolveImageInput } from '../image/storage/write.ts'
import { resolveAuthor } from '../lifecycle/linked-records.ts'
import type { ImportedValues } from '../lifecycle/modified-at.ts'
import {
  createNamedPost,
  createNamedPostFields,
  updateNamedPost,
  updateNamedPostFields,
} from '../lifecycle/named-posts.ts'
import { addPostMutations } from '../lifecycle/record-mutations.ts'
import { CoordinatesInput, roundDegrees } from '../list/distance.ts'
import { checkUrl, readLineInput } from '../text/text-input.ts'
import { Venue } from './type.ts'

const venueInputs = (t: InputFields) => ({
  address: t.string({ description: 'Street and house number.' }),
  city: t.string({ description: 'City.' }),
  country: t.string({ description: 'Country.' }),
  province: t.string({ description: 'Province.' }),
  state: t.string({ description: 'State.' }),
  stateProvince: t.string({
    description:
      'State or province. By default `state` if the country is the United States or empty; otherwise, or without a state, `province`.',
  }),
  zip: t.string({ description: 'Postal code.' }),
  phone: t.string({ description: 'Telephone number.' }),
  website: t.string({ description: 'Website: an absolute URL, or empty.' }),
  showMap: t.boolean({ description: 'Whether clients should show a map of the venue.' }),
  showMapLink: t.boolean({ description: 'Whether clients should link to a map of the venue.' }),
  coordinates: t.field({ type: CoordinatesInput, description: 'Coordinates of the venue; null if unknown.' }),
})

export const CreateVenueInput = builder.inputType('CreateVenueInput', {
  description: 'A new venue. Its name and texts are in the language of the operation.',
  fields: (t) => ({ ...createNamedPostFields(t, 'venue'), ...venueInputs(t) }),
})

const UpdateVenueInput = builder.inputType('UpdateVenueInput', {
  description: 'Changes to a venue. Fields that the input omits stay unchanged.',
  fields: (t) => ({ ...updateNamedPostFields(t), ...venueInputs(t) }),
})

type Create = typeof CreateVenueInput.$inferInput

export const createVenue = (tx: Tx, input: Create, context: Context, imported?: ImportedValues): Promise<number> =>
  createNamedPost(tx, 'venue', input, () => venueData(tx, input, undefined, context), context, imported)

addPostMutations('venue', {
  type: Venue,
  createInput: CreateVenueInput,
  create: createVenue,
  updateInput: UpdateVenueInput,
  update: (tx, input, context) =>
    updateNamedPost<PreviousVenue>(tx, 'venue', input, (before) => venueData(tx, input, before, context), context),
})

type PreviousVenue = Prisma.VenueGetPayload<object>

const lineNames = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone'] as const

async function venueData(
  tx: Tx,
  input: Create | typeof UpdateVenueInput.$inferInput,
  before: PreviousVenue | undefined,
  context: Context,
) {
  const { viewer } = context
  const checked = await checkAll({
    authorId: () => viewer && resolveAuthor(tx, input.authorId, viewer),
    website: () => checkUrl('website', input.website),
    image: () => resolveImageInput(tx, input, context),
    coordinates: () => checkAtPath(['coordinates'], () => checkCoordinates(input.coordinates)),
  })
  const { coordinates } = input
  const lines: Lines = Object.fromEntries(lineNames.map((name) => [name, readLineInput(input[name])]))
  const columns = {
    ...lines,
    authorId: checked.authorId,
    website: checked.website,
    stateProvince: stateProvince(readLineInput(input.stateProvince), lines, before),
    showMap: input.showMap ?? undefined,
    showMapLink: input.showMapLink ?? undefined,
    latitude: coordinates && roundDegrees(coordinates.latitude),
    longitude: coordinates && roundDegrees(coordinates.longitude),
  } satisfies Prisma.VenueUncheckedUpdateInput
  return { columns, image: checked.image }
}

function checkCoordinates(coordinates: { latitude: number; longitude: number } | null | undefined): void {
  if (coordinates == null) return
  const { latitude, longitude } = coordinates
  const errors = {
    ...(Math.abs(latitude) > 90 && { latitude: 'latitude must be between -90 and 90.' }),
    ...(Math.abs(longitude) > 180 && { longitude: 'longitude must be between -180 and 180.' }),
  }
  if (Object.keys(errors).length > 0) throw badInputError(errors)
}

type Lines = { readonly [name in (typeof lineNames)[number]]?: string | undefined }
type Region = Pick<Lines, 'state' | 'province' | 'country'>

/** Returns the state in the United States, the province elsewhere (contract c.3.1). Undefined if the input changes neither. */
function stateProvince(explicit: string | undefined, input: Region, before: Region | undefined): string | undefined {
  if (explicit) return explicit
  const after = (part: keyof Region) => input[part] ?? before?.[part] ?? ''
  const [state, province, country] = [after('state'), after('province'), after('country')]
  const isSame = before?.state === state && before.province === province && before.country === country
  if (explicit === undefined && isSame) return undefined
  return (['', 'US', 'United States'].includes(country) && state) || province
}
