// Types of event fields that are not records: cost, custom fields and tickets.
import { builder } from '../../service/graphql/builder.ts'
import { fromRecord } from '../../service/graphql/record-resolver.ts'
import { enumValues } from '../rules/enums.ts'
import type { Cost } from './cost.ts'
import { currencyCode } from './currency.ts'

const CurrencyPosition = builder.enumType('CurrencyPosition', {
  description: 'Position of a currency symbol.',
  values: enumValues({
    prefix: 'Before the number: `$10`.',
    postfix: 'After the number: `10 kr`.',
  }),
})

const decimal =
  'a decimal number such as `12.50`, read from the text; `0` is free. Null without a price, and with several currencies.'

export const EventCost = builder.objectRef<Cost>('EventCost').implement({
  description: 'What an event costs.',
  fields: (t) => ({
    text: t.string({
      description: 'Formatted cost, such as `$10 – $20` or `Free`.',
      resolve: fromRecord(({ text }) => text),
    }),
    currencySymbol: t.exposeString('currencySymbol', {
      description: 'Currency as written beside one of the prices or more; empty if there is none, or several.',
    }),
    currencyPosition: t.field({
      type: CurrencyPosition,
      nullable: true,
      description: 'Position of the currency; null unless it is the same everywhere.',
      resolve: fromRecord(({ currencyPosition }) => currencyPosition || null),
    }),
    currency: t.string({
      nullable: true,
      description:
        'ISO 4217 code, such as `EUR`. Prices without a currency are in that of the site. Null without a price, with several currencies, and for a symbol such as `$` that does not tell which currency it is.',
      resolve: fromRecord(({ range }, { settings }) => (range && currencyCode(range.symbol, settings)) ?? null),
    }),
    minimum: t.string({
      nullable: true,
      description: `Lowest price: ${decimal}`,
      resolve: fromRecord(({ range }) => range?.minimum ?? null),
    }),
    maximum: t.string({
      nullable: true,
      description: `Highest price: ${decimal}`,
      resolve: fromRecord(({ range }) => range?.maximum ?? null),
    }),
    values: t.stringList({
      description:
        'The numbers of the cost with a decimal point, ascending. Without numbers, the slugs of the entries.',
      resolve: fromRecord(({ values }) => [...values]),
    }),
  }),
})

interface StoredCustomField {
  readonly key: string
  readonly label: string
  readonly value: unknown
}

export const CustomField = builder.objectRef<StoredCustomField>('CustomField').implement({
  description: 'A custom field of the site.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Machine-readable name.' }),
    label: t.exposeString('label', { description: 'Human-readable name.' }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Any JSON value.',
      resolve: fromRecord(({ value }) => value),
    }),
  }),
})

export const Ticket = builder.prismaObject('Ticket', {
  description: 'A kind of ticket that is sold for an event.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of this kind of ticket.' }),
    price: t.string({
      description: 'Decimal number with two decimal places.',
      select: { price: true },
      resolve: fromRecord(({ price }) => price.toFixed(2)),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    capacity: t.exposeInt('capacity', { nullable: true, description: 'Number of tickets; null: unlimited.' }),
    salesStart: t.expose('salesStart', { type: 'DateTime', nullable: true, description: 'When sales begin.' }),
    salesEnd: t.expose('salesEnd', { type: 'DateTime', nullable: true, description: 'When sales end.' }),
  }),
})
