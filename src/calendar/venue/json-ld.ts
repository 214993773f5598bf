import { omitEmpty } from '../../basics/omit-empty.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { createCommonJsonLd, type JsonLdRow, jsonLdField, selectCommonJsonLd } from '../fields/json-ld.ts'
import { isLocked } from '../rules/record-password.ts'
import { getServedText } from '../text/served-text.ts'
import { Venue } from './type.ts'

const addressColumns = { address: true, city: true, stateProvince: true, zip: true, country: true } as const
const plainColumns = { ...addressColumns, phone: true, website: true } as const

export const selectPlaceJsonLd = (context: Context) => ({ ...selectCommonJsonLd(context), ...plainColumns })

interface VenueRow extends JsonLdRow, Pick<Prisma.VenueGetPayload<object>, keyof typeof plainColumns> {}

/** Returns a schema.org Place; for a locked venue, only with the name. */
export function createPlaceJsonLd(venue: VenueRow, context: RecordContext): object {
  const name = getServedText(venue, 'name')
  if (isLocked(venue, context)) return { '@type': 'Place', ...omitEmpty({ name }), url: '' }
  const address = omitEmpty({
    streetAddress: venue.address,
    addressLocality: venue.city,
    addressRegion: venue.stateProvince,
    postalCode: venue.zip,
    addressCountry: venue.country,
  })
  return {
    '@type': 'Place',
    ...omitEmpty({ name, ...createCommonJsonLd(venue, context) }),
    url: '',
    ...(Object.keys(address).length > 0 ? { address: { '@type': 'PostalAddress', ...address } } : {}),
    ...omitEmpty({ telephone: venue.phone, sameAs: venue.website }),
  }
}

builder.prismaObjectField(Venue, 'jsonLd', (t) => t.field(jsonLdField(selectPlaceJsonLd, 1, createPlaceJsonLd)))
