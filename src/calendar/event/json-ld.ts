import { offsetText, toWallClock } from '../../basics/time.ts'
import { withoutEmpty } from '../../basics/without-empty.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { postUrl } from '../fields/fields.ts'
import { type DescribedRow, describe, describedColumns, jsonLdField } from '../fields/json-ld.ts'
import { personColumns, personOf } from '../organizer/json-ld.ts'
import { textOf } from '../text/served-text.ts'
import { placeColumns, placeOf } from '../venue/json-ld.ts'
import { type Cost, readCost } from './cost.ts'
import { currencyCode } from './currency.ts'
import { organizersOf, venuesOf } from './relations.ts'
import { Event } from './type.ts'

const plainColumns = {
  ...{ startsAt: true, endsAt: true, timeZone: true, previousStartsAt: true, publishedAt: true },
  ...{ website: true, cost: true, eventStatus: true, attendanceMode: true, onlineUrl: true },
} as const

interface EventRow extends DescribedRow, Pick<Prisma.EventGetPayload<object>, keyof typeof plainColumns> {
  readonly venues: readonly { readonly venue: Parameters<typeof placeOf>[0] }[]
  readonly organizers: readonly { readonly organizer: Parameters<typeof personOf>[0] }[]
}

function eventOf(event: EventRow, context: RecordContext): object {
  const { description, image } = describe(event, context)
  const { previousStartsAt, timeZone } = event
  const [person] = event.organizers
  const cost = readCost(event.cost, context.settings)
  const url = postUrl('event', event, context)
  return withoutEmpty({
    '@type': 'Event',
    name: textOf(event, 'name'),
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
    organizer: person && personOf(person.organizer, context),
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
  const place = first && attendanceMode !== 'online' ? placeOf(first.venue, context) : undefined
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
  ...describedColumns(context),
  ...plainColumns,
  venues: venuesOf(context, { select: placeColumns(context) }),
  organizers: organizersOf(context, { select: personColumns(context) }),
})

/** Its own, and the assumed three venues and three organizers. */
const records = 7

builder.prismaObjectField(Event, 'jsonLd', (t) => t.field(jsonLdField(eventColumns, records, eventOf)))
