// What an event is made of that is no record of its own.
import { builder } from '../../graphql/builder.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import type { Cost } from './cost.ts'

const CurrencyPosition = builder.enumType('CurrencyPosition', {
  description: 'On which side of the number a currency stands.',
  values: {
    PREFIX: { value: 'prefix', description: 'Before it: `$10`.' },
    POSTFIX: { value: 'postfix', description: 'After it: `10 kr`.' },
  } as const,
})

export const EventCost = builder.objectRef<Cost>('EventCost').implement({
  description: 'What an event costs.',
  fields: (t) => ({
    text: t.string({
      description: 'For people: `$10 – $20`, `Free`.',
      resolve: fromRecord(({ text }, { texts }) => texts.spend(text)),
    }),
    currencySymbol: t.exposeString('currencySymbol', {
      description: 'What was written beside the numbers, if the same everywhere; else empty.',
    }),
    currencyPosition: t.field({
      type: CurrencyPosition,
      nullable: true,
      description: 'Where it was written, if the same everywhere.',
      resolve: fromRecord(({ currencyPosition }) => currencyPosition || null),
    }),
    values: t.stringList({
      description: 'The numbers, ascending, with a decimal point; of a cost without numbers its words as slugs.',
      resolve: fromRecord(({ values }, { texts }) => values.map((value) => texts.spend(value))),
    }),
  }),
})

interface StoredCustomField {
  readonly key: string
  readonly label: string
  readonly value: unknown
}

export const CustomField = builder.objectRef<StoredCustomField>('CustomField').implement({
  description: 'An extra field that the site defines.',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'Name for programs.' }),
    label: t.exposeString('label', { description: 'Name for people.' }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Its value.',
      resolve: fromRecord(({ value }, { texts }) => {
        texts.spend(typeof value === 'string' ? value : JSON.stringify(value))
        return value
      }),
    }),
  }),
})

export const Ticket = builder.prismaObject('Ticket', {
  description: 'A kind of ticket that is sold for an event.',
  select: { id: true },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of this kind of ticket.' }),
    price: t.string({
      description: 'Decimal number with two places.',
      select: { price: true },
      resolve: fromRecord(({ price }) => price.toFixed(2)),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    capacity: t.exposeInt('capacity', { nullable: true, description: 'How many there are; null: no limit.' }),
    salesStart: t.expose('salesStart', { type: 'DateTime', nullable: true, description: 'First moment of sale.' }),
    salesEnd: t.expose('salesEnd', { type: 'DateTime', nullable: true, description: 'Last moment of sale.' }),
  }),
})
