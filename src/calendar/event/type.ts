import { dateToWallClock, zoneAbbreviation } from '../../basics/time.ts'
import { builder } from '../../service/graphql/builder.ts'
import { longTextComplexity } from '../../service/graphql/limits/complexity.ts'
import { recordResolver } from '../../service/graphql/record-resolver.ts'
import { addPostFields, recordTypeOptions } from '../fields/common-fields.ts'
import { postFieldOptions } from '../fields/fields.ts'
import { Post } from '../fields/interfaces.ts'
import { emptyIfLocked, lockableField, lockableValueField } from '../fields/lockable.ts'
import { enumValues } from '../rules/enums.ts'
import { lockColumns } from '../rules/record-password.ts'
import { readableFilter } from '../rules/status.ts'
import { Translatable } from '../text/translatable.ts'
import { type ParsedCost, parseCost } from './cost.ts'
import { findCurrencyCode } from './currency.ts'
import { EventAttendanceMode, EventStatus } from './state.ts'

const CurrencyPosition = builder.enumType('CurrencyPosition', {
  description: 'Position of a currency symbol.',
  values: enumValues({
    prefix: 'The currency symbol comes before the number: `$10`.',
    postfix: 'The currency symbol comes after the number: `10 kr`.',
  }),
})

const decimal =
  'a decimal number such as `12.50`, or `0` for a free event. Null if no price is known, or if the prices have several currencies.'

const EventCost = builder.objectRef<ParsedCost>('EventCost').implement({
  description: 'What an event costs.',
  fields: (t) => ({
    text: t.string({
      description: 'Formatted cost, such as `$10 – $20` or `Free`.',
      resolve: recordResolver(({ text }) => text),
    }),
    currencySymbol: t.exposeString('currencySymbol', {
      description:
        'Currency symbol or code, as written beside a price; empty without a currency, or with several currencies.',
    }),
    currencyPosition: t.field({
      type: CurrencyPosition,
      nullable: true,
      description: 'Position of the currency symbol; null unless all prices have the same position.',
      resolve: recordResolver(({ currencyPosition }) => currencyPosition || null),
    }),
    currency: t.string({
      nullable: true,
      description:
        'Currency of the prices: an ISO 4217 code, such as `EUR`. Prices without a currency are in the currency of the site. Null without a price, with several currencies, and for an ambiguous symbol such as `$`.',
      resolve: recordResolver(({ range }, { settings }) => (range && findCurrencyCode(range.symbol, settings)) ?? null),
    }),
    minimum: t.string({
      nullable: true,
      description: `Lowest price: ${decimal}`,
      resolve: recordResolver(({ range }) => range?.minimum ?? null),
    }),
    maximum: t.string({
      nullable: true,
      description: `Highest price: ${decimal}`,
      resolve: recordResolver(({ range }) => range?.maximum ?? null),
    }),
    values: t.stringList({
      description:
        'The numbers of the cost with a decimal point, ascending. Without numbers, the slugs of the entries.',
      resolve: recordResolver(({ values }) => [...values]),
    }),
  }),
})

interface StoredCustomField {
  readonly key: string
  readonly label: string
  readonly value: unknown
}

const CustomField = builder.objectRef<StoredCustomField>('CustomField').implement({
  description: 'A custom field of the site.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Machine-readable name of the custom field.' }),
    label: t.exposeString('label', { description: 'Human-readable name of the custom field.' }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Value of the custom field: any JSON value.',
      resolve: recordResolver(({ value }) => value),
    }),
  }),
})

export const Ticket = builder.prismaObject('Ticket', {
  description: 'A kind of ticket that is sold for an event.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of this kind of ticket.' }),
    price: t.string({
      description: 'Price as a decimal number with two decimal places.',
      select: { price: true },
      resolve: recordResolver(({ price }) => price.toFixed(2)),
    }),
    currency: t.exposeString('currency', { description: 'Currency of the price: an ISO 4217 code.' }),
    capacity: t.exposeInt('capacity', { nullable: true, description: 'Number of tickets for sale; null: unlimited.' }),
    salesStart: t.expose('salesStart', { type: 'DateTime', nullable: true, description: 'When ticket sales begin.' }),
    salesEnd: t.expose('salesEnd', { type: 'DateTime', nullable: true, description: 'When ticket sales end.' }),
  }),
})

export const Event = builder.prismaNode('Event', {
  description: 'An event of the calendar.',
  ...recordTypeOptions(readableFilter),
  interfaces: [Translatable, Post],
  fields: (t) => ({
    title: t.string({ ...postFieldOptions.name, description: 'Title of the event as plain text, never empty.' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Instant of the start.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Instant of the end.' }),
    startsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Local time of the start, in `timeZone`.',
      select: { startsLocal: true },
      resolve: recordResolver((event) => dateToWallClock(event.startsLocal)),
    }),
    endsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Local time of the end, in `timeZone`.',
      select: { endsLocal: true },
      resolve: recordResolver((event) => dateToWallClock(event.endsLocal)),
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'Time zone of the event as it was set: an IANA time zone, or a fixed offset such as `UTC+5:30`.',
    }),
    timeZoneAbbreviation: t.string({
      description: 'Abbreviation of the time zone at the start of the event, such as `CET` or `EDT`.',
      select: { startsAt: true, timeZone: true },
      resolve: recordResolver((event) => zoneAbbreviation(event.startsAt, event.timeZone)),
    }),
    allDay: t.boolean(lockableField('allDay', 'Whether the event lasts whole days.')),
    eventStatus: t.expose('eventStatus', {
      type: EventStatus,
      description:
        'Whether the event takes place as planned; `status` says who can see the event. Visible even while the record is locked.',
    }),
    attendanceMode: t.expose('attendanceMode', {
      type: EventAttendanceMode,
      description: 'Whether people attend on site or online. Visible even while the record is locked.',
    }),
    onlineUrl: t.field({
      type: 'URL',
      ...lockableField('onlineUrl', 'http or https URL where people attend the event online; null if unset.'),
    }),
    previousStartsAt: t.expose('previousStartsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Instant of the start before the event was rescheduled; null if unknown.',
    }),
    cost: t.field({
      type: EventCost,
      ...lockableValueField('cost', 'What the event costs; null if unknown.', (cost: string[], { settings }) => {
        return parseCost(cost, settings) ?? null
      }),
    }),
    costEntries: t.stringList({
      description:
        'The prices and texts of `cost` as they were entered; the input field `cost` accepts them unchanged. Empty if unknown, and while the record is locked.',
      select: { ...lockColumns, cost: true },
      resolve: emptyIfLocked(({ cost }) => [...cost]),
    }),
    website: t.string(
      lockableField('website', 'Website of the event; null if it was never set, empty if it was removed.'),
    ),
    showMap: t.boolean(lockableField('showMap', 'Whether clients should show a map of the venues.')),
    showMapLink: t.boolean(lockableField('showMapLink', 'Whether clients should link to a map of the venues.')),
    hideFromListings: t.boolean(lockableField('hideFromListings', 'Whether lists leave out the event.')),
    sticky: t.boolean(lockableField('sticky', 'Whether the event comes first on its day in calendar views.')),
    featured: t.boolean(lockableField('featured', 'Whether the site features the event.')),
    customFields: t.field({
      type: [CustomField],
      description: 'Custom fields of the site. Empty while the record is locked.',
      extensions: longTextComplexity,
      select: { ...lockColumns, customFields: true },
      resolve: emptyIfLocked((event) => event.customFields as { key: string; label: string; value: unknown }[]),
    }),
  }),
})

addPostFields('event')
