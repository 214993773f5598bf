import { omitEmpty } from '../../basics/omit-empty.ts'
import { offsetText, toWallClock } from '../../basics/time.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { postUrl } from '../fields/fields.ts'
import { commonJsonLd, commonJsonLdSelect, type JsonLdRow, jsonLdField } from '../fields/json-ld.ts'
import { personJsonLd, personJsonLdSelect } from '../organizer/json-ld.ts'
import { servedTextOf } from '../text/served-text.ts'
import { placeJsonLd, placeJsonLdSelect } from '../venue/json-ld.ts'
import { type Cost, readCost } from './cost.ts'
import { currencyCode } from './currency.ts'
import { organizersSelect, venuesSelect } from './relations.ts'
import { Event } from './type.ts'

const plainColumns = {
  ...{ startsAt: true, endsAt: true, timeZone: true, previousStartsAt: true, publishedAt: true },
  ...{ website: true, cost: true, eventStatus: true, attendanceMode: true, onlineUrl: true },
} as const

interface EventRow extends JsonLdRow, Pick<Prisma.EventGetPayload<object>, keyof typeof plainColumns> {
  readonly venues: readonly { readonly venue: Parameters<typeof placeJsonLd>[0] }[]
  readonly organizers: readonly { readonly organizer: Parameters<typeof personJsonLd>[0] }[]
}

function eventOf(event: EventRow, context: RecordContext): object {
  const { description, image } = commonJsonLd(event, context)
  const { previousStartsAt, timeZone } = event
  const [person] = event.organizers
  const cost = readCost(event.cost, context.settings)
  const url = postUrl('event', event, context)
  return omitEmpty({
    '@type': 'Event',
    name: servedTextOf(event, 'name'),
    description,
    image,
    url,
    eventAttendanceMode: `https://schema.org/${schemaName(event.attendanceMode)}EventAttendanceMode`,
    eventStatus: `https://schema.org/Event${schemaName(event.eventStatus)}`,
    startDate: withOffset(event.startsAt, timeZone),
    endDate: withOffset(event.endsAt, timeZone),
    previousStartDate:
      previousStartsAt && event.eventStatus !== 'scheduled' ? withOffset(previousStartsAt, timeZone) : '',
    location: locationOf(event, url, context),
    organizer: person && personJsonLd(person.organizer, context),
    offers: cost && offerOf(cost, event, url, context),
    performer: 'Organization',
  })
}

/** The name of a value in schema.org: `MovedOnline`. */
const schemaName = (value: string) => value.replace(/(?:^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase())

/** The first venue, the online location, or a list of both. Search engines ignore online locations without a URL. */
function locationOf(event: EventRow, url: string, context: RecordContext): object | undefined {
  const { venues, attendanceMode, onlineUrl } = event
  const [first] = venues
  const place = first && attendanceMode !== 'online' ? placeJsonLd(first.venue, context) : undefined
  if (attendanceMode === 'offline') return place
  const online = { '@type': 'VirtualLocation', url: onlineUrl || url }
  return place ? [place, online] : online
}

function offerOf({ lowest }: Cost, { website, publishedAt }: EventRow, url: string, { settings }: RecordContext) {
  const priceCurrency = lowest && currencyCode(lowest.symbol, settings)
  return {
    '@type': 'Offer',
    ...(lowest && { price: lowest.value }),
    ...(priceCurrency && { priceCurrency }),
    url: website || url,
    category: 'primary',
    availability: 'inStock',
    validFrom: publishedAt.toISOString(),
  }
}

const withOffset = (instant: Date, zone: string) => `${toWallClock(instant, zone)}${offsetText(instant, zone)}`

const eventColumns = (context: Context) => ({
  ...commonJsonLdSelect(context),
  ...plainColumns,
  venues: venuesSelect(context, { select: placeJsonLdSelect(context) }),
  organizers: organizersSelect(context, { select: personJsonLdSelect(context) }),
})

/** The event itself, and an assumed three venues and three organizers. */
const records = 7

builder.prismaObjectField(Event, 'jsonLd', (t) => t.field(jsonLdField(eventColumns, records, eventOf)))
