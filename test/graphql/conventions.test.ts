// The schema keeps the conventions that graphql-eslint checks with `schema-recommended` and `schema-relay`.
import { globSync, readFileSync } from 'node:fs'
import { buildSchema, isRequiredArgument, NoDeprecatedCustomRule, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { breaches, rules } from '../helpers/schema-rules.ts'

interface Exception {
  readonly rule: string
  /** Places, such as `Event.title`. `*` stands for any text. */
  readonly places: readonly string[]
  readonly reason: string
}

const exceptions: readonly Exception[] = [
  {
    rule: 'strict-id-in-types',
    places: [
      ...['*Connection', '*Edge', '*Page', 'PageInfo', '*Payload', 'SitemapPart', 'UserError'],
      ...[
        'CalendarDay',
        'Duplicate',
        'RecordEditor',
        'EventCalendar',
        'EventFacets',
        '*Facet',
        'EventChange',
        'RecordChange',
        'AuditChange',
        'SchedulePreview',
        'SeriesDate',
        'SearchSuggestion',
        'TranslationTaskCount',
      ],
    ],
    reason: 'Results of an operation, which are no records of their own.',
  },
  {
    rule: 'strict-id-in-types',
    places: [
      '*Languages',
      'Coordinates',
      'CustomField',
      'EventCost',
      'ImageSize',
      'ImageTranslation',
      'ProposedEvent',
      'RevisionChange',
      'SeriesCalendar',
      'SeriesExtraDate',
      'SeriesOtherDate',
      'SeriesRecurrence',
      'Ticket',
      'Translation',
    ],
    reason: 'Parts of a record. Client caches keep them with the record.',
  },
  {
    rule: 'strict-id-in-types',
    places: ['Site'],
    reason: 'There is one, with `Query.site`.',
  },
  {
    rule: 'relay-edge-types',
    places: ['*Connection.nodes', '*Page.items', '*.userErrors', 'Query.nodes'],
    reason: 'The same items without cursors, numbered pages, and the answers for a list of the input.',
  },
  {
    rule: 'relay-edge-types',
    places: [
      'Event.costEntries',
      'EventCost.values',
      'EventSeries.excludedDates',
      'EventSeries.extraDates',
      'EventSeries.recurrences',
      'Image.alternates',
      'Image.sizes',
      'RecordChange.formerUids',
      'SeriesCalendar.otherDates',
      'SeriesCalendar.rules',
      'Site.languages',
      'TranslationTask.missingFields',
      'UserError.path',
      '*.withheldFields',
      'User.rights',
    ],
    reason: 'Short lists of values.',
  },
  {
    rule: 'relay-edge-types',
    places: [
      'Event.categories',
      'Event.customFields',
      'Event.organizers',
      'Event.tags',
      'Event.tickets',
      'Event.venues',
    ],
    reason: 'Written as a whole with the event, in the order of the input, with limits on their length.',
  },
  {
    rule: 'relay-edge-types',
    places: ['Event.related'],
    reason: 'The best matches; no client pages through the others.',
  },
  {
    rule: 'relay-edge-types',
    places: ['*.translations', 'User.credentials'],
    reason: 'As many as the site has languages, and the few credentials of one user.',
  },
  {
    rule: 'relay-edge-types',
    places: ['Query.sitemapPages', 'Query.sitemapParts'],
    reason: 'The parts of the sitemap are its pagination.',
  },
  {
    rule: 'relay-edge-types',
    places: ['SchedulePreview.*'],
    reason: 'Computed from the arguments. `first` sets the number of dates.',
  },
  {
    rule: 'relay-edge-types',
    places: ['ChangePage.changes'],
    reason: 'Read in one direction only, with a token that is stored between the pages.',
  },
  {
    rule: 'relay-edge-types',
    places: ['Revision.changes', 'RevisionEdge.node'],
    reason: 'Entries of the log, which only their record leads to; each has at most all fields of a record.',
  },
  {
    rule: 'relay-edge-types',
    places: ['AuditEntry.changes', 'AuditLogEdge.node'],
    reason: 'The fields that one entry changed, and entries, which are no records: `node` does not find them.',
  },
  {
    rule: 'relay-edge-types',
    places: ['TranslationTaskEdge.node', 'Query.translationTaskCounts'],
    reason: 'What is to be done with a record, which `node` does not find; and a few numbers.',
  },
  {
    rule: 'relay-edge-types',
    places: ['CalendarDay.events', 'EventCalendar.days'],
    reason: 'The days of the arguments, and the first events of a day. The list `events` has the other events.',
  },
  {
    rule: 'relay-edge-types',
    places: [
      'Query.searchSuggestions',
      'Query.duplicates',
      'Duplicate.records',
      'Query.similarEvents',
      'AnnounceEditingPayload.others',
    ],
    reason:
      'The best few: for a text that is still being typed, and pairs that are to be merged; and the few who edit a record.',
  },
  {
    rule: 'relay-edge-types',
    places: ['EventFacets.*'],
    reason: 'The values with most events, from which readers choose. The lists of the records have all others.',
  },
  {
    rule: 'no-typename-prefix',
    places: ['Page.page'],
    reason: 'The argument that selects the page has the same name.',
  },
  {
    rule: 'no-typename-prefix',
    places: ['Event.eventStatus'],
    reason: 'The name of the property of schema.org; `status` is the status of the record.',
  },
]

const text = readFileSync('schema.graphql', 'utf8')
const found = breaches(text)
const matches = (pattern: string, place: string) =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '\\w+')}$`).test(place)
const excepted = (rule: string) => exceptions.filter((exception) => exception.rule === rule)

describe('schema.graphql', () => {
  test.each(Object.keys(rules))('keeps the rule %s, with the exceptions in the table', (rule) => {
    const patterns = excepted(rule).flatMap(({ places }) => places)
    const broken = found[rule]?.filter((place) => !patterns.some((pattern) => matches(pattern, place)))
    expect(broken).toEqual([])
  })

  test('has mutations with one argument, a required `input`', () => {
    // A challenge depends on nothing.
    const mutations = Object.values(buildSchema(text).getMutationType()?.getFields() ?? {}).filter(
      ({ name }) => name !== 'createProposalChallenge',
    )
    const found = mutations.map(({ name, args }) => [name, ...args.map(String), args.every(isRequiredArgument)])
    expect(found).toEqual(mutations.map(({ name }) => [name, `Mutation.${name}(input:)`, true]))
  })

  test('is used without its deprecated parts by the service', () => {
    const files = globSync('src/**/*.graphql')
    expect(files.length).toBeGreaterThan(5)
    const document = parse(files.map((file) => readFileSync(file, 'utf8')).join('\n'))
    expect(validate(buildSchema(text), document, [NoDeprecatedCustomRule])).toEqual([])
  })

  test('needs every exception in the table', () => {
    const unneeded = exceptions.flatMap(({ rule, places }) =>
      places.filter((pattern) => !found[rule]?.some((place) => matches(pattern, place))),
    )
    expect(unneeded).toEqual([])
  })
})

/** A schema that keeps all rules. */
const sound = `
"""Reads."""
type Query {
  """Books."""
  books(first: Int, after: String, last: Int, before: String): BookConnection!
}

"""A record."""
interface Node {
  id: ID!
}

"""A book."""
type Book implements Node {
  id: ID!
  genre: Genre!
  old: String @deprecated(reason: "No longer used.")
}

"""A genre."""
enum Genre {
  POETRY
}

"""Books."""
type BookConnection {
  id: ID!
  edges: [BookEdge!]!
  pageInfo: PageInfo!
}

"""A book."""
type BookEdge {
  id: ID!
  cursor: String!
  node: Book!
}

"""A position."""
type PageInfo {
  id: ID!
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
  endCursor: String
}
`

/** Changes of that schema, each with what it breaks. */
const changes: readonly (readonly [rule: string, from: string, to: string, place: string])[] = [
  ['description-style', '"""A genre."""', '"A genre."', 'A genre.'],
  ['naming-convention', 'genre: Genre!', 'book_genre: Genre!', 'Book.book_genre'],
  ['naming-convention', ' books(', ' getBooks(', 'Query.getBooks'],
  ['naming-convention', 'POETRY', 'Poetry', 'Genre.Poetry'],
  ['naming-convention', 'old: String', 'old_: String', 'Book.old_'],
  ['no-hashtag-description', '"""A genre."""', '"""A genre."""\n# Of books.', 'Of books.'],
  ['no-typename-prefix', 'genre: Genre!', 'bookGenre: Genre!', 'Book.bookGenre'],
  ['no-unreachable-types', 'genre: Genre!', 'genre: String!', 'Genre'],
  ['require-deprecation-reason', '(reason: "No longer used.")', '', 'old'],
  ['require-description', '"""A genre."""', '', 'Genre'],
  ['require-description', '"""Books."""\n  books', 'books', 'Query.books'],
  ['strict-id-in-types', 'type BookEdge {\n  id: ID!', 'type BookEdge {', 'BookEdge'],
  ['unique-enum-value-names', 'POETRY', 'POETRY\n  POETRy', 'Genre.POETRy'],
  ['relay-arguments', 'first: Int, ', '', 'Query.books(first:)'],
  ['relay-arguments', 'before: String', 'before: [String]', 'Query.books(before:)'],
  ['relay-connection-types', 'edges: [BookEdge!]!', 'edges: BookEdge!', 'BookConnection.edges'],
  ['relay-connection-types', 'pageInfo: PageInfo!', 'pageInfo: PageInfo', 'BookConnection.pageInfo'],
  ['relay-edge-types', 'implements Node ', '', 'BookEdge.node'],
  ['relay-edge-types', 'cursor: String!', 'position: String!', 'BookEdge.cursor'],
  ['relay-edge-types', 'genre: Genre!', 'genres: [Genre!]!', 'Book.genres'],
  ['relay-page-info', 'hasNextPage: Boolean!', 'hasNextPage: Boolean', 'PageInfo.hasNextPage'],
  ['relay-page-info', 'endCursor: String', 'endCursor: String!', 'PageInfo.endCursor'],
]

describe('the rules', () => {
  test('find nothing in a schema that keeps them', () => {
    expect(Object.values(breaches(sound)).flat()).toEqual([])
  })

  test.each(changes)('%s finds the change of %j to %j', (rule, from, to, place) => {
    expect(sound).toContain(from)
    expect(breaches(sound.replace(from, to))[rule]).toEqual([place])
  })

  test('have at least one change each', () => {
    expect([...new Set(changes.map(([rule]) => rule))].toSorted()).toEqual(Object.keys(rules).toSorted())
  })
})
