import { omitEmpty } from '../../basics/omit-empty.ts'
import { formatOffset, toWallClock } from '../../basics/time.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { postUrl } from '../fields/fields.ts'
import { createCommonJsonLd, type JsonLdRow, jsonLdField, selectCommonJsonLd } from '../fields/json-ld.ts'
import { createPersonJsonLd, selectPersonJsonLd } from '../organizer/json-ld.ts'
import { getServedText } from '../text/served-text.ts'
import { createPlaceJsonLd, selectPlaceJsonLd } from '../venue/json-ld.ts'
import { type ParsedCost, parseCost } from './cost.ts'
import { findCurrencyCode } from './currency.ts'
import { organizersSelect, venuesSelect } from './relations.ts'
import { Event } from './type.ts'

const plainColumns = {
  ...{ startsAt: true, endsAt: true, timeZone: true, previousStartsAt: true, publishedAt: true },
  ...{ seriesId: true, startsLocal: true, dayNumber: true },
  ...{ website: true, cost: true, eventStatus: true, attendanceMode: true, onlineUrl: true },
} as const

interface EventRow extends JsonLdRow, Pick<Prisma.EventGetPayload<object>, keyof typeof plainColumns> {
  readonly venues: readonly { readonly venue: Parameters<typeof createPlaceJsonLd>[0] }[]
  readonly organizers: readonly { readonly organizer: Parameters<typeof createPersonJsonLd>[0] }[]
}

function eventOf(event: EventRow, context: RecordContext): object {
  const { description, image } = createCommonJsonLd(event, context)
  const { previousStartsAt, timeZone } = event
  const [person] = event.organizers
  const cost = parseCost(event.cost, context.settings)
  const url = postUrl('event', event, context)
  return omitEmpty({
    '@type': 'Event',
    name: getServedText(event, 'name'),
    description,
    image,
    url,
    superEvent: event.seriesId !== null && seriesOf(event, context),
    eventAttendanceMode: `https://schema.org/${schemaName(event.attendanceMode)}EventAttendanceMode`,
    eventStatus: `https://schema.org/Event${schemaName(event.eventStatus)}`,
    startDate: withOffset(event.startsAt, timeZone),
    endDate: withOffset(event.endsAt, timeZone),
    previousStartDate:
      previousStartsAt && event.eventStatus !== 'scheduled' ? withOffset(previousStartsAt, timeZone) : '',
    location: locationOf(event, url, context),
    organizer: person && createPersonJsonLd(person.organizer, context),
    offers: cost && offerOf(cost, event, url, context),
    performer: 'Organization',
  })
}

const seriesOf = (event: EventRow, context: RecordContext) => ({
  '@type': 'EventSeries',
  name: getServedText(event, 'name'),
  url: postUrl('event', event, context, []),
})

/** Converts an enum value to its name in schema.org, such as `MovedOnline`. */
const schemaName = (value: string) => value.replace(/(?:^|_)[a-z]/g, (start) => start.slice(-1).toUpperCase())

/** Returns the first venue, the online location, or a list of both. Search engines ignore online locations without a URL. */
function locationOf(event: EventRow, url: string, context: RecordContext): object | undefined {
  const { venues, attendanceMode, onlineUrl } = event
  const [first] = venues
  const place = first && attendanceMode !== 'online' ? createPlaceJsonLd(first.venue, context) : undefined
  if (attendanceMode === 'offline') return place
  const online = { '@type': 'VirtualLocation', url: onlineUrl || url }
  return place ? [place, online] : online
}

function offerOf({ lowest }: ParsedCost, { website, publishedAt }: EventRow, url: string, { settings }: RecordContext) {
  const priceCurrency = lowest && findCurrencyCode(lowest.symbol, settings)
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

const withOffset = (instant: Date, zone: string) => `${toWallClock(instant, zone)}${formatOffset(instant, zone)}`

const eventColumns = (context: Context) => ({
  ...selectCommonJsonLd(context),
  ...plainColumns,
  venues: venuesSelect(context, { select: selectPlaceJsonLd(context) }),
  organizers: organizersSelect(context, { select: selectPersonJsonLd(context) }),
})

/** Number of records that `jsonLd` reads: the event, and an assumed three venues and three organizers. */
const records = 7

builder.prismaObjectField(Event, 'jsonLd', (t) => t.field(jsonLdField(eventColumns, records, eventOf)))
