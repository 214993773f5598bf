// Searches, suggestions and text filters for parts of one, two, three and six letters, frequent and rare, with punctuation.
import { type BenchRequest, maxSearchMs } from './bench-request.ts'
import type { Language } from './sample-texts.ts'

const searched: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'e',
    'x',
    'an',
    'zy',
    'ing',
    'xyl',
    'festiv',
    'the',
    'the of and',
    '"comic book"',
    "o'",
    'festival -comic',
    '3.',
  ],
  fr: ['é', 'w', 'de', 'yv', 'ion', 'œuv', 'specta', 'le la les', '"bande dessinée"', "l'", 'rendez-vous', '« la'],
  es: ['a', 'k', 'es', 'ñu', 'ión', 'güe', 'exposi', 'el de la', '"de la vida"', '¿qué', 'n.º', 'y/o'],
}

const places: Readonly<Record<Language, readonly string[]>> = {
  en: ['e', 'br', 'ing', 'bristo', 'street, b'],
  fr: ['é', 'pa', 'saint', 'strasb', "l'a"],
  es: ['a', 'ma', 'cal', 'madrid', 'plaza m'],
}

const cities: Readonly<Record<Language, string>> = { en: 'Bristol', fr: 'Strasbourg', es: 'Madrid' }

const list = (filter: string, selection: string, order = '') =>
  `{ eventsPage(filter: { ${filter} }${order && `, orderBy: { field: ${order} }`}) { ${selection} } }`
const items = 'items { databaseId title startsLocal venues { name } }'

/** GraphQL queries by name, for a search. */
const queries: Readonly<Record<string, (text: string) => string>> = {
  page: (text) => list(`search: ${text}`, items),
  'page and total': (text) => list(`search: ${text}`, `searchMatch total ${items}`),
  'parts of words': (text) => list(`search: ${text}, searchMode: SUBSTRING`, `total ${items}`),
  'by relevance': (text) => list(`search: ${text}`, items, 'RELEVANCE'),
  suggestions: (text) => `{ searchSuggestions(prefix: ${text}) { kind text } }`,
  venues: (text) => `{ venuesPage(filter: { search: ${text} }) { total items { name } } }`,
  tags: (text) => `{ tagsPage(filter: { search: ${text} }) { total items { name } } }`,
  facets: (text) => `{ eventFacets(filter: { search: ${text}, when: UPCOMING }) { totalCount
    categories { count } tags { count } } }`,
}

const placeQueries: Readonly<Record<string, (text: string) => string>> = {
  'page at place': (text) => list(`placeName: ${text}`, items),
  'page and total at place': (text) => list(`placeName: ${text}`, `total ${items}`),
}

export function searchRequests(): BenchRequest[] {
  return (Object.keys(searched) as Language[]).flatMap((language) => {
    const root = language === 'en' ? '' : `/${language}`
    const common = { root, maxMs: maxSearchMs } as const
    const ask = (queries: Readonly<Record<string, (text: string) => string>>, text: string) =>
      Object.entries(queries).map(([name, query]): BenchRequest => {
        return { ...common, name: `${language} ${text}: ${name}`, query: query(JSON.stringify(text)) }
      })
    const lists = searched[language].flatMap((text) => [
      { ...common, name: `${language} ${text}: REST`, url: `/cal/events/v1/events?search=${encodeURIComponent(text)}` },
      ...ask(queries, text),
    ])
    return [
      ...lists,
      ...places[language].flatMap((text) => ask(placeQueries, text)),
      ...ask({ 'in a city': (city) => list(`cities: [${city}]`, `total ${items}`) }, cities[language]),
    ]
  })
}
