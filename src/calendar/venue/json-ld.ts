import { withoutEmpty } from '../../basics/without-empty.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { type DescribedRow, describe, describedColumns, jsonLdField } from '../fields/json-ld.ts'
import { isLocked } from '../rules/record-password.ts'
import { textOf } from '../text/served-text.ts'
import { Venue } from './type.ts'

const addressColumns = { address: true, city: true, stateProvince: true, zip: true, country: true } as const
const plainColumns = { ...addressColumns, phone: true, website: true } as const

export const placeColumns = (context: Context) => ({ ...describedColumns(context), ...plainColumns })

interface VenueRow extends DescribedRow, Pick<Prisma.VenueGetPayload<object>, keyof typeof plainColumns> {}

/** Of a locked venue, only the name. */
export function placeOf(venue: VenueRow, context: RecordContext): object {
  const name = textOf(venue, 'name')
  if (isLocked(venue, context)) return { '@type': 'Place', ...withoutEmpty({ name }), url: '' }
  const address = withoutEmpty({
    streetAddress: venue.address,
    addressLocality: venue.city,
    addressRegion: venue.stateProvince,
    postalCode: venue.zip,
    addressCountry: venue.country,
  })
  return {
    '@type': 'Place',
    ...withoutEmpty({ name, ...describe(venue, context) }),
    url: '',
    ...(Object.keys(address).length > 0 ? { address: { '@type': 'PostalAddress', ...address } } : {}),
    ...withoutEmpty({ telephone: venue.phone, sameAs: venue.website }),
  }
}

builder.prismaObjectField(Venue, 'jsonLd', (t) => t.field(jsonLdField(placeColumns, 1, placeOf)))
