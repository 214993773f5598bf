// The normalized cache. A record is kept by its ID and the language in which it was served.
import { type Cache, cacheExchange, type KeyGenerator } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'

const translatable: KeyGenerator = ({ id, contentLanguage }) => (id ? `${id} ${contentLanguage}` : null)
const embedded: KeyGenerator = () => null
const list = relayPagination()

/** Types that belong to their parent and have no key. A missing one is a warning in the console of `npm run dev`. */
const embeddedTypes = [
  ...['AuditChange', 'CalendarDay', 'CategoryFacet', 'CategoryLanguages', 'CategoryPage', 'ChangePage', 'CityFacet'],
  ...['Coordinates', 'CustomField', 'EventCalendar', 'EventChange', 'EventCost', 'EventFacets', 'EventLanguages'],
  ...[
    'EventPage',
    'ImagePage',
    'ImageSize',
    'ImageTranslation',
    'LanguageFacet',
    'OrganizerLanguages',
    'OrganizerPage',
  ],
  ...[
    'ProposedEvent',
    'RecordChange',
    'RecordEditor',
    'RevisionChange',
    'SchedulePreview',
    'SearchSuggestion',
    'SeriesCalendar',
    'SeriesDate',
  ],
  ...['SeriesExtraDate', 'SeriesOtherDate', 'SeriesRecurrence', 'Site', 'TagLanguages', 'TagPage', 'Ticket'],
  ...[
    'Translation',
    'TranslationTaskCount',
    'UserError',
    'UserPage',
    'VenueLanguages',
    'VenuePage',
    'WebhookPage',
    'Duplicate',
  ],
]
const translatableTypes = ['Category', 'Event', 'EventSeries', 'Image', 'Organizer', 'Tag', 'Venue']

/** Lists of records, which a write may make longer, shorter, or order in another way. */
const lists = [
  ...['categories', 'eventCalendar', 'events', 'eventsPage', 'images', 'organizers', 'searchSuggestions', 'tags'],
  ...['proposals', 'users', 'venues', 'webhooks', 'translationTasks', 'translationTaskCounts', 'duplicates'],
]

function forgetLists(cache: Cache): void {
  for (const { fieldName, fieldKey } of cache.inspectFields('Query')) {
    if (lists.includes(fieldName)) cache.invalidate('Query', fieldKey)
  }
}

/** After each of these mutations, the screens read their lists again. */
const writes = [
  ...[
    'createEvent',
    'createEventSeries',
    'updateEvent',
    'updateEventSeries',
    'trashEvent',
    'restoreEvent',
    'deleteEvent',
  ],
  ...['createVenue', 'updateVenue', 'trashVenue', 'restoreVenue', 'deleteVenue'],
  ...['createOrganizer', 'updateOrganizer', 'trashOrganizer', 'restoreOrganizer', 'deleteOrganizer'],
  ...['createCategory', 'updateCategory', 'deleteCategory', 'createTag', 'updateTag', 'deleteTag'],
  ...['mergeVenues', 'mergeOrganizers', 'mergeCategories', 'mergeTags'],
  ...['uploadImage', 'importImage', 'updateImage', 'deleteImage', 'restoreRevision'],
  ...['createUser', 'updateUser', 'deleteUser', 'createWebhook', 'updateWebhook', 'deleteWebhook'],
  ...['acceptProposal', 'askAboutProposal', 'declineProposal', 'returnEvent'],
]

export const createCache = () =>
  cacheExchange({
    keys: {
      ...Object.fromEntries(embeddedTypes.map((name) => [name, embedded])),
      ...Object.fromEntries(translatableTypes.map((name) => [name, translatable])),
    },
    resolvers: {
      Query: {
        ...{ categories: list, events: list, images: list, organizers: list, tags: list, users: list, venues: list },
        proposals: list,
        webhooks: list,
        translationTasks: list,
      },
      ...Object.fromEntries(
        [...translatableTypes].map((name) => [name, { events: list, children: list, revisions: list }]),
      ),
    },
    updates: {
      Mutation: Object.fromEntries(
        writes.map((name) => [name, (_result: unknown, _args: unknown, cache: Cache) => forgetLists(cache)]),
      ),
    },
  })
