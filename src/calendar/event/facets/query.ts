import type { GraphQLResolveInfo } from 'graphql'
import { selectedFieldNames } from '../../../engine/execution/analyze-operation.ts'
import { kinds, withArticle } from '../../../kinds.ts'
import type { Context } from '../../../service/context.ts'
import { builder } from '../../../service/graphql/builder.ts'
import { LanguageCode } from '../../../service/graphql/language-code.ts'
import { complexity, countComplexity } from '../../../service/graphql/limits/complexity.ts'
import { maxPageSize, pageSizeDescription } from '../../../service/graphql/page-size.ts'
import { requirePageSize } from '../../../service/graphql/pagination.ts'
import { buildSelection } from '../../../service/graphql/record-selection.ts'
import { Category } from '../../category/type.ts'
import { findRecordsByIds } from '../../list/records.ts'
import { Organizer } from '../../organizer/type.ts'
import { enumValues } from '../../rules/enums.ts'
import { Tag } from '../../tag/type.ts'
import { Venue } from '../../venue/type.ts'
import { EventFilter } from '../filter.ts'
import { createFacetCounter, type FacetCounter } from './count.ts'
import type { FacetValueCount } from './statement.ts'

const EventFacetsType = builder.objectRef<FacetCounter>('EventFacets')

/** Complexity of reading the events, once for most facets, and of counting them for a facet. */
const [eventsWeight, facetWeight] = [200, 50]

const countOptions = { description: 'Number of events with this value.' }

interface RecordCount {
  readonly record: object
  readonly count: number
}

const linked = { category: Category, tag: Tag, venue: Venue, organizer: Organizer } as const

type LinkedKind = keyof typeof linked

const recordCountType = (kind: LinkedKind) =>
  builder.objectRef<RecordCount>(`${kinds[kind].type}Facet`).implement({
    description: `The number of events of ${withArticle(kind)}.`,
    fields: (t) => ({
      [kind]: t.field({
        type: linked[kind],
        description: `The ${kind} that the events have.`,
        // The record was loaded with the selected fields already.
        resolve: ({ record }) => record as never,
      }),
      count: t.exposeInt('count', countOptions),
    }),
  })

const recordCountTypes = {
  category: recordCountType('category'),
  tag: recordCountType('tag'),
  venue: recordCountType('venue'),
  organizer: recordCountType('organizer'),
}

async function recordCounts(
  kind: LinkedKind,
  counts: readonly FacetValueCount[],
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RecordCount[]> {
  if (!selectedFieldNames(info).has(kind)) return counts.map(([, count]) => ({ record: {}, count }))
  const selection = buildSelection(context, info, { path: [kind] })
  const ids = counts.map(([id]) => Number(id))
  const records = await findRecordsByIds<object>(context, kind, selection, ids)
  // A record that was deleted after the count is left out.
  return counts.flatMap(([id, count]) => {
    const record = records.get(Number(id))
    return record ? [{ record, count }] : []
  })
}

interface ValueCount<Value = string> {
  readonly value: Value
  readonly count: number
}

const CityFacet = builder.objectRef<ValueCount<[city: string, country: string]>>('CityFacet').implement({
  description: 'The number of events in a city.',
  fields: (t) => ({
    city: t.string({
      description: 'The city, as in the address of most of its events, for the filter `cities`.',
      resolve: ({ value: [city] }) => city,
    }),
    country: t.string({
      description: 'The country, as in the address of most of its events; may be empty.',
      resolve: ({ value: [, country] }) => country,
    }),
    count: t.exposeInt('count', countOptions),
  }),
})

const MonthFacet = builder.objectRef<ValueCount>('MonthFacet').implement({
  description: 'The number of events that start in a month.',
  fields: (t) => ({
    month: t.exposeString('value', { description: 'Year and month of the local start, such as `2026-11`.' }),
    count: t.exposeInt('count', countOptions),
  }),
})

const LanguageFacet = builder.objectRef<ValueCount>('LanguageFacet').implement({
  description: 'The number of events with a title in a language.',
  fields: (t) => ({
    language: t.expose('value', { type: LanguageCode, description: 'Language of the titles.' }),
    count: t.exposeInt('count', countOptions),
  }),
})

const EventPriceKind = builder.enumType('EventPriceKind', {
  description: 'Whether an event costs something.',
  values: enumValues({ free: 'Free of charge.', paid: 'With a price.' }),
})

const PriceFacet = builder.objectRef<ValueCount<typeof EventPriceKind.$inferType>>('PriceFacet').implement({
  description: 'The number of events that are free, or that have a price.',
  fields: (t) => ({
    price: t.expose('value', { type: EventPriceKind, description: 'Whether the events cost something.' }),
    count: t.exposeInt('count', countOptions),
  }),
})

const valueCounts = <Value>(counts: readonly FacetValueCount[]): ValueCount<Value>[] =>
  counts.map(([value, count]) => ({ value: value as Value, count }))

/** Returns the values that events have or that the filter selects, by descending number of events. */
function usedOrSelected<Value>(
  values: readonly Value[],
  counts: readonly FacetValueCount[],
  isSelected: (value: Value) => boolean | undefined,
): ValueCount<Value>[] {
  const countOf = new Map(counts)
  return values
    .map((value) => ({ value, count: countOf.get(value) ?? 0 }))
    .filter(({ value, count }) => count > 0 || isSelected(value))
    .sort((a, b) => b.count - a.count)
}

const ofUnlocked = 'Locked events, whose fields are hidden because of a password, are not counted.'

EventFacetsType.implement({
  description:
    'Numbers of events by their properties. Each facet ignores the criteria of the filter for its own property and applies all others, so that the counts show what another choice would find. A facet also returns the values that the filter selects if no event has them.',
  fields: (t) => {
    const first = (defaultValue: number, values: string) =>
      t.arg.int({ defaultValue, description: `Number of ${values} to return. ${pageSizeDescription}` })
    const recordsField = (kind: LinkedKind, description: string) =>
      t.field({
        type: [recordCountTypes[kind]],
        description: `${description} Values with most events come first, then by name. ${ofUnlocked}`,
        extensions: complexity({ weight: facetWeight, slicingArguments: ['first'] }),
        args: { first: first(20, kinds[kind].plural) },
        resolve: async (facets, args, context, info) =>
          recordCounts(kind, await facets.values(kinds[kind].plural, sizeOf(args, context)), context, info),
      })
    return {
      totalCount: t.int({
        description: 'Number of events that the whole filter selects.',
        extensions: countComplexity,
        resolve: (facets) => facets.total(),
      }),
      categories: recordsField(
        'category',
        'Number of events by category. Events also count for the ancestors of their categories. Ignores `categories` of the filter.',
      ),
      tags: recordsField('tag', 'Number of events by tag. Ignores `tags` of the filter.'),
      venues: recordsField('venue', 'Number of events by venue. Ignores `venues` of the filter.'),
      organizers: recordsField('organizer', 'Number of events by organizer. Ignores `organizers` of the filter.'),
      cities: t.field({
        type: [CityFacet],
        description: `Number of events by city of their venues, without regard to case and accents. Ignores \`cities\` and \`placeName\` of the filter. Cities with most events come first, then by name. ${ofUnlocked}`,
        extensions: complexity({ weight: facetWeight, slicingArguments: ['first'] }),
        args: { first: first(20, 'cities') },
        resolve: async (facets, args, context) =>
          valueCounts<[string, string]>(await facets.values('cities', sizeOf(args, context))),
      }),
      months: t.field({
        type: [MonthFacet],
        description:
          'Number of events by month of the local start, in the order of time. The list begins with the first month of the filter, or else with the current month; earlier months follow only if too few later months have events. Ignores all criteria of the filter for days and times but `when`.',
        extensions: complexity({ weight: facetWeight, slicingArguments: ['first'] }),
        args: { first: first(12, 'months') },
        resolve: async (facets, args, context) =>
          valueCounts<string>(await facets.values('months', sizeOf(args, context))),
      }),
      languages: t.field({
        type: [LanguageFacet],
        description:
          'Number of events by language in which the title was written. Languages with most events come first. Ignores `translatedInto` of the filter.',
        extensions: complexity({ weight: facetWeight, assumedSize: 3 }),
        resolve: async ({ values, filter }, _args, { settings: { languages } }) =>
          usedOrSelected(languages, await values('languages', languages.length), (language) =>
            filter.translatedInto?.includes(language),
          ),
      }),
      prices: t.field({
        type: [PriceFacet],
        description: `Number of events that are free, and of events with a price. Ignores \`price\` of the filter. ${ofUnlocked}`,
        extensions: complexity({ weight: facetWeight, assumedSize: 2 }),
        resolve: async ({ values, filter: { price } }) =>
          usedOrSelected(
            ['free', 'paid'] as const,
            await values('prices', 2),
            (kind) => price?.free != null && price.free === (kind === 'free'),
          ),
      }),
    }
  },
})

/** Returns the number of requested values. GraphQL sets the default only for a missing argument, not for null. */
const sizeOf = ({ first }: { readonly first?: number | null | undefined }, { settings }: Context): number =>
  requirePageSize('first', first, 0, maxPageSize(settings)) ?? settings.perPageDefault

builder.queryField('eventFacets', (t) =>
  t.field({
    type: EventFacetsType,
    description: 'Numbers of events by category, tag, venue, organizer, city, month, language and price.',
    extensions: complexity({ weight: eventsWeight }),
    args: { filter: t.arg({ type: EventFilter, description: 'Selects the events.' }) },
    resolve: (_root, { filter }, context) => createFacetCounter(filter ?? {}, context),
  }),
)
