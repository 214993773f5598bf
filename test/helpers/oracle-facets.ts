// Compares each facet with what the list counts with the criteria of the facet replaced by each value, for every reader.
import fc from 'fast-check'
import { expect } from 'vitest'
import { toRecordStatus } from '../../src/basics/record-status.ts'
import type { ApiClient } from './app.ts'
import type { OracleSite } from './oracle-check.ts'
import { eventDraws } from './oracle-draw.ts'
import { type Language, languages } from './oracle-facts.ts'
import { password } from './oracle-save.ts'
import { seed } from './oracle-world.ts'
import { roles } from './permissions.ts'
import { partOf } from './runs.ts'

const runs = Math.ceil(Number(process.env.ORACLE_RUNS ?? 480) / 80)

type Filter = Readonly<Record<string, unknown>>

type Row = Readonly<Record<string, unknown>>

interface Facet {
  readonly selection: string
  /** Criteria that the facet ignores. */
  readonly own: readonly string[]
  readonly keyOf: (row: Row) => string
  /** The criterion that selects one value. */
  readonly criterion: (value: string) => Filter
  /** Every value that any event could have. */
  readonly values: (site: OracleSite) => readonly string[]
  /** Whether lists in the language show the record; every other value is always shown. */
  readonly isShown?: (value: string, language: Language, site: OracleSite) => boolean
}

const times = ['between', 'startsOn', 'startsAt', 'startsLocal', 'endsAt', 'endsLocal', 'runningAt']

const ofRecords = (field: string, kind: 'venues' | 'organizers' | 'categories' | 'tags'): Facet => ({
  selection: `${kind}(first: 100) { ${field} { databaseId } count }`,
  own: [kind],
  keyOf: (row) => globalId(field, (row[field] as Row).databaseId),
  criterion: (id) => ({ [kind]: [id] }),
  values: ({ world }) => world[kind].map(({ id }) => globalId(field, id)),
  isShown: (value, language, { world, fallback }) =>
    fallback || world[kind].some(({ id, texts }) => globalId(field, id) === value && texts.has(language)),
})

const globalId = (field: string, id: unknown) => btoa(`${field[0]?.toUpperCase()}${field.slice(1)}:${id}`)

const facets: Readonly<Record<string, Facet>> = {
  categories: ofRecords('category', 'categories'),
  tags: ofRecords('tag', 'tags'),
  venues: ofRecords('venue', 'venues'),
  organizers: ofRecords('organizer', 'organizers'),
  months: {
    selection: 'months(first: 100) { month count }',
    own: times,
    keyOf: ({ month }) => String(month),
    criterion: (month) => ({ startsLocal: { gte: `${month}-01T00:00:00`, lt: `${nextMonth(month)}-01T00:00:00` } }),
    values: ({ world }) => [...new Set(world.events.map(({ start }) => start.slice(0, 7)))],
  },
  cities: {
    selection: 'cities(first: 100) { city count }',
    own: ['cities', 'placeName'],
    keyOf: ({ city }) => String(city).toLowerCase(),
    criterion: (city) => ({ cities: [city] }),
    values: ({ world }) => [...new Set(world.venues.flatMap(({ contact }) => contact.city?.toLowerCase() || []))],
  },
  prices: {
    selection: 'prices { price count }',
    own: ['price'],
    keyOf: ({ price }) => String(price),
    criterion: (price) => ({ price: { free: price === 'FREE' } }),
    values: () => ['FREE', 'PAID'],
  },
  languages: {
    selection: 'languages { language count }',
    own: ['translatedInto'],
    keyOf: ({ language }) => String(language),
    criterion: (language) => ({ translatedInto: [language] }),
    values: () => languages.map((language) => language.toUpperCase()),
  },
}

function nextMonth(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + 1)
  return date.toISOString().slice(0, 7)
}

const selection = `totalCount ${Object.values(facets)
  .map((facet) => facet.selection)
  .join(' ')}`

interface Question {
  readonly filter: Filter
  readonly role: (typeof roles)[number]
  readonly language: Language
  readonly opens: boolean
  readonly forEditing: boolean
}

function questions({ world }: OracleSite): fc.Arbitrary<Question> {
  const { start_date, end_date, starts_before, starts_after, ends_before, ends_after, strict_dates, ...draws } =
    eventDraws(world)
  const filter = fc
    .subarray(Object.entries(draws), { maxLength: 3 })
    .chain((some) => fc.record(Object.fromEntries(some as [string, fc.Arbitrary<unknown>][])))
    .map(({ status, ...others }) => ({
      ...others,
      ...(Array.isArray(status) && { status: status.map(toRecordStatus) }),
    }))
  return fc.record({
    filter,
    role: fc.constantFrom(...roles),
    language: fc.constantFrom(...languages),
    opens: fc.boolean(),
    forEditing: fc.boolean(),
  })
}

/** `number`: of the question, on which depends which values of each facet are compared. */
async function compare(
  site: OracleSite,
  { filter, role, language, opens, forEditing }: Question,
  number: number,
): Promise<boolean> {
  const client: ApiClient = role === 'visitor' ? site.app : site.app.as(site.users[role])
  const context = `@inContext(language: ${language.toUpperCase()}${opens ? `, password: "${password}"` : ''}${forEditing && role !== 'visitor' ? ', forEditing: true' : ''})`
  const send = (query: string, variables: object) => client.graphql(query, { ...variables })
  const { body } = await send(
    `query ($filter: EventFilter) ${context} { eventFacets(filter: $filter) { ${selection} } }`,
    {
      filter,
    },
  )
  const expected: Record<string, Filter> = { total: filter }
  for (const [name, { own, criterion, values }] of Object.entries(facets)) {
    const others = Object.fromEntries(Object.entries(filter).filter(([key]) => !own.includes(key)))
    for (const value of partOf(values(site), 3, number))
      expected[`${name} ${value}`] = { ...others, ...criterion(value) }
  }
  const totals: Record<string, number> = {}
  for (const part of chunks(Object.entries(expected), 12)) {
    const declared = part.map((_, index) => `$f${index}: EventFilter`).join(', ')
    const fields = part.map((_, index) => `f${index}: eventsPage(filter: $f${index}) { total }`).join(' ')
    const variables = Object.fromEntries(part.map(([, filter], index) => [`f${index}`, filter]))
    const lists = await send(`query (${declared}) ${context} { ${fields} }`, variables)
    if (body.errors) {
      expect(lists.body.errors?.[0].extensions.code).toBe(body.errors[0].extensions.code)
      return false
    }
    expect(lists.body.errors).toBeUndefined()
    for (const [index, [key]] of part.entries()) totals[key] = lists.body.data[`f${index}`].total
  }
  const actual = body.data.eventFacets
  expect(actual.totalCount).toBe(totals.total)
  for (const [name, { keyOf, values, isShown }] of Object.entries(facets)) {
    const counted = new Map<string, number>(actual[name].map((row: Row & { count: number }) => [keyOf(row), row.count]))
    for (const value of partOf(values(site), 3, number)) {
      const total = isShown && !isShown(value, language, site) ? 0 : totals[`${name} ${value}`]
      expect([name, value, counted.get(value) ?? 0]).toEqual([name, value, total])
    }
    expect(values(site)).toEqual(expect.arrayContaining([...counted.keys()]))
  }
  return actual.totalCount > 0
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

/** Sends random filters as random readers. */
export async function checkFacets(site: OracleSite): Promise<void> {
  let [number, withResults] = [0, 0]
  const property = fc.asyncProperty(questions(site), async (question) => {
    if (await compare(site, question, number++)) withResults += 1
  })
  await fc.assert(property, { numRuns: runs, seed })
  expect(withResults).toBeGreaterThan(runs / 4)
}
