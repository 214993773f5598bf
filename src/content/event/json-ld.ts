import type { Context } from '../../context.ts'
import { builder } from '../../graphql/builder.ts'
import type { RecordContext } from '../../graphql/record-resolver.ts'
import { offsetText, toWallClock } from '../../time.ts'
import { withoutEmpty } from '../../without-empty.ts'
import { postUrl } from '../fields.ts'
import { type DescribedRow, describe, describedColumns, jsonLdField } from '../json-ld.ts'
import { personColumns, personOf } from '../organizer/json-ld.ts'
import { textOf } from '../text/served-text.ts'
import { placeColumns, placeOf } from '../venue/json-ld.ts'
import { type Cost, readCost } from './cost.ts'
import { organizersOf, venuesOf } from './relations.ts'
import { Event } from './type.ts'

interface EventRow extends DescribedRow {
  readonly startsAt: Date
  readonly endsAt: Date
  readonly timeZone: string
  readonly publishedAt: Date
  readonly website: string | null
  readonly cost: string[]
  readonly venues: readonly { readonly venue: Parameters<typeof placeOf>[0] }[]
  readonly organizers: readonly { readonly organizer: Parameters<typeof personOf>[0] }[]
}

function eventOf(event: EventRow, context: RecordContext): object {
  const { description, image } = describe(event, context)
  const [place] = event.venues
  const [person] = event.organizers
  const cost = readCost(event.cost, context.settings)
  const url = postUrl('event', event, context)
  return withoutEmpty({
    '@type': 'Event',
    name: textOf(event, 'name'),
    description,
    image,
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: withOffset(event.startsAt, event.timeZone),
    endDate: withOffset(event.endsAt, event.timeZone),
    location: place && placeOf(place.venue, context),
    organizer: person && personOf(person.organizer, context),
    offers: cost && offerOf(cost, event, url),
    performer: 'Organization',
  })
}

function offerOf({ values, currencySymbol }: Cost, { website, publishedAt }: EventRow, url: string): object {
  const [lowest = ''] = values
  return {
    '@type': 'Offer',
    price: /^\d/.test(lowest) ? lowest : '0',
    ...(/^[A-Z]{3}$/.test(currencySymbol) ? { priceCurrency: currencySymbol } : {}),
    url: website || url,
    category: 'primary',
    availability: 'inStock',
    validFrom: publishedAt.toISOString(),
  }
}

const withOffset = (instant: Date, zone: string) => `${toWallClock(instant, zone)}${offsetText(instant, zone)}`

const eventColumns = (context: Context) => ({
  ...describedColumns(context),
  startsAt: true as const,
  endsAt: true as const,
  timeZone: true as const,
  publishedAt: true as const,
  website: true as const,
  cost: true as const,
  venues: venuesOf(context, { select: placeColumns(context) }),
  organizers: organizersOf(context, { select: personColumns(context) }),
})

const linksRead = { image: {}, venues: { image: {} }, organizers: { image: {} } }

builder.prismaObjectField(Event, 'jsonLd', (t) => t.field(jsonLdField(eventColumns, linksRead, eventOf)))
