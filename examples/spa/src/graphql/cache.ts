// The normalized cache. A record is kept by its ID and the language in which it was served.
import { cacheExchange, type KeyGenerator } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'

const translatable: KeyGenerator = ({ id, contentLanguage }) => (id ? `${id} ${contentLanguage}` : null)
const embedded: KeyGenerator = () => null

/** Types that belong to their parent and have no key. */
const embeddedTypes = [
  ...['CalendarDay', 'CategoryFacet', 'CityFacet', 'Coordinates', 'EventCalendar', 'EventChange'],
  ...['EventCost', 'EventFacets'],
  ...['EventLanguages', 'ImageSize', 'LanguageFacet', 'PriceFacet', 'SearchSuggestion', 'Site', 'Translation'],
]

export const createCache = () =>
  cacheExchange({
    keys: {
      ...Object.fromEntries(embeddedTypes.map((name) => [name, embedded])),
      Category: translatable,
      Event: translatable,
      Image: translatable,
      Organizer: translatable,
      Tag: translatable,
      Venue: translatable,
    },
    resolvers: { Query: { events: relayPagination() } },
  })
