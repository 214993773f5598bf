// Creating and changing venues: called by their mutations, and by events that bring one along.
import type { Context } from '../../context.ts'
import { type Tx, takeTurn } from '../../db/client.ts'
import { badInput } from '../../errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder, type InputFields } from '../../graphql/builder.ts'
import { existingPost } from '../existing.ts'
import { findImage, imageIdOf } from '../image/write.ts'
import { checkUrl, lineInput, textChange, textChanges, withoutUndefined } from '../input.ts'
import { authorFor } from '../links.ts'
import { modification } from '../mutation.ts'
import { rounded } from '../near.ts'
import { storedPassword } from '../password.ts'
import { identityInputs, ifUnmodifiedSince, lockPost, postInputs, reclaimSlugs, requirePostEdit } from '../post.ts'
import { checkAll } from '../problems.ts'
import { requireRight } from '../rights.ts'
import { releaseSlugs } from '../slug.ts'
import { firstStanding, nextStanding } from '../transition.ts'
import { writeText } from '../write-text.ts'

const CoordinatesInput = builder.inputType('CoordinatesInput', {
  description: 'A place on earth, WGS 84.',
  fields: (t) => ({
    latitude: t.float({ required: true, description: 'Degrees north, from -90 to 90.' }),
    longitude: t.float({ required: true, description: 'Degrees east, from -180 to 180.' }),
  }),
})

const venueInputs = (t: InputFields) => ({
  ...postInputs(t),
  address: t.string({ description: 'Street and number.' }),
  city: t.string({ description: 'City.' }),
  country: t.string({ description: 'Country.' }),
  province: t.string({ description: 'Province.' }),
  state: t.string({ description: 'State.' }),
  stateProvince: t.string({ description: 'State or province; by default whichever of them applies.' }),
  zip: t.string({ description: 'Postal code.' }),
  phone: t.string({ description: 'Telephone number.' }),
  website: t.string({ description: 'Absolute URL, or empty.' }),
  showMap: t.boolean({ description: 'Show a map.' }),
  showMapLink: t.boolean({ description: 'Show a link to a map.' }),
  coordinates: t.field({ type: CoordinatesInput, description: 'Where it lies; null: unknown.' }),
})

export const CreateVenueInput = builder.inputType('CreateVenueInput', {
  description: 'A new venue; its text is in the language of the operation.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Plain text, not empty.' }),
    ...venueInputs(t),
    orExisting: t.boolean({
      defaultValue: false,
      description: 'Answer with the venue of the same name (and description, if given) when there is one, unchanged.',
    }),
  }),
})

export const UpdateVenueInput = builder.inputType('UpdateVenueInput', {
  description: 'Changes of a venue: what is not given stays as it is.',
  fields: (t) => ({
    ...identityInputs(t),
    name: t.string({ description: 'Plain text, not empty.' }),
    ...venueInputs(t),
    ifUnmodifiedSince: ifUnmodifiedSince(t),
  }),
})

type Create = typeof CreateVenueInput.$inferInput
type Update = typeof UpdateVenueInput.$inferInput

/** Creates a venue for the viewer and answers its number; with `orExisting` that of one which is there. */
export async function createVenue(tx: Tx, input: Create, context: Context): Promise<number> {
  const viewer = requireRight(context.viewer, 'write')
  const { language, settings, site, now } = context
  const { changes, data } = await checkAll({
    changes: () => venueTexts(input, language, context),
    data: () => venueData(tx, input, undefined, context),
  })
  if (input.orExisting) {
    await takeTurn(tx, 'venue')
    const existing = await existingPost(tx, 'venue', lineInput(input.name) ?? '', input.description, context)
    if (existing !== undefined) return existing
  }
  const standing = firstStanding(input, viewer, now)
  const { id } = await tx.venue.create({
    data: {
      ...data.columns,
      ...standing,
      imageId: await imageIdOf(tx, data.image, context),
      passwordKey: await storedPassword(input.password, site),
      authorId: data.columns.authorId ?? viewer.id,
      trashedFrom: standing.status === 'trash' ? 'draft' : null,
      modifiedAt: now,
      originalLanguage: language,
    },
    select: { id: true },
  })
  await writeText(
    tx,
    'venue',
    { id, changes, slugs: standing.status === 'trash' ? 'as given' : 'from names' },
    settings,
  )
  if (standing.status === 'trash') await releaseSlugs(tx, 'venue', id)
  return id
}

/** Changes what is given, and nothing else. */
export async function updateVenue(tx: Tx, input: Update, context: Context): Promise<number> {
  const { settings, site, now } = context
  const id = await lockPost(tx, 'venue', input, context)
  const before = await tx.venue.findUniqueOrThrow({ where: { id } })
  const viewer = requirePostEdit('venue', before, input, context)
  const standing = nextStanding(input, before, viewer, now)
  const { changes, data } = await checkAll({
    changes: () => venueTexts(input, before.originalLanguage, context),
    data: () => venueData(tx, input, before, context),
  })
  const trashing = standing.status === 'trash' && before.status !== 'trash'
  await tx.venue.update({
    where: { id },
    data: {
      ...data.columns,
      ...standing,
      imageId: await imageIdOf(tx, data.image, context),
      passwordKey: await storedPassword(input.password, site),
      modifiedAt: modification(before.modifiedAt, now),
      trashedFrom: trashing ? before.status : null,
    },
  })
  const taken = before.status === 'trash' ? await reclaimSlugs(tx, 'venue', id) : new Map<string, string>()
  for (const [other, slug] of taken) changes.set(other, { slug, ...withoutUndefined(changes.get(other)) })
  await writeText(tx, 'venue', { id, changes, slugs: 'from names' }, settings)
  if (trashing) await releaseSlugs(tx, 'venue', id)
  return id
}

function venueTexts(input: Create | Update, original: string, { language, settings: { languages } }: Context) {
  const change = () => textChange('name', input.name, input)
  return textChanges({ language, original, languages }, change, input.translations)
}

type Before = Prisma.VenueGetPayload<object>

async function venueData(tx: Tx, input: Create | Update, before: Before | undefined, context: Context) {
  const { viewer } = context
  const checked = await checkAll({
    authorId: () => viewer && authorFor(tx, input.authorId, viewer),
    website: () => checkUrl('website', input.website),
    image: () => findImage(tx, input, context),
    coordinates: () => checkCoordinates(input.coordinates),
  })
  const { address, city, country, province, state, zip, phone, coordinates } = input
  const lines = {
    address: lineInput(address),
    city: lineInput(city),
    country: lineInput(country),
    province: lineInput(province),
    state: lineInput(state),
    zip: lineInput(zip),
    phone: lineInput(phone),
  }
  const columns = {
    ...lines,
    authorId: checked.authorId,
    website: checked.website,
    stateProvince: stateProvince(lineInput(input.stateProvince), lines, before),
    showMap: input.showMap ?? undefined,
    showMapLink: input.showMapLink ?? undefined,
    latitude: coordinates === undefined ? undefined : coordinates ? rounded(coordinates.latitude) : null,
    longitude: coordinates === undefined ? undefined : coordinates ? rounded(coordinates.longitude) : null,
  }
  return { columns, image: checked.image }
}

function checkCoordinates(given: { latitude: number; longitude: number } | null | undefined): void {
  if (given == null || (Math.abs(given.latitude) <= 90 && Math.abs(given.longitude) <= 180)) return
  throw badInput({ coordinates: 'A latitude lies between -90 and 90, a longitude between -180 and 180.' })
}

type Region = {
  readonly state?: string | undefined
  readonly province?: string | undefined
  readonly country?: string | undefined
}

/** Contract c.3.1: the state in the United States, the province elsewhere; renewed when one of its sources changes. */
function stateProvince(given: string | undefined, wish: Region, before: Region | undefined): string | undefined {
  if (given) return given
  const after = (part: keyof Region) => wish[part] ?? before?.[part] ?? ''
  const [state, province, country] = [after('state'), after('province'), after('country')]
  const isSame = before?.state === state && before.province === province && before.country === country
  if (given === undefined && isSame) return undefined
  return (['', 'US', 'United States'].includes(country) && state) || province
}
