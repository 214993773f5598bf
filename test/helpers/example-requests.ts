// The requests of the examples in /doc. They are sent in the order of the document, so a record that one of them trashes,
// deletes or renames must not be used by another.
export interface ExampleRequest {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

const byId = (id: number, body?: ExampleRequest['body']): ExampleRequest => ({ path: { id }, body })
const bySlug = (slug: string, body?: ExampleRequest['body']): ExampleRequest => ({ path: { slug }, body })

/** Requests by operationId. */
export const exampleRequests: Readonly<Record<string, ExampleRequest>> = {
  getIndex: { query: { namespace: 'cal/events/v1' } },
  getDoc: {},

  getEvents: { query: { search: 'King Stag', per_page: 1 } },
  postEvents: {
    body: {
      title: 'Open-air concert',
      start_date: '2027-06-21 18:00',
      end_date: '2027-06-21 23:30',
      timezone: 'Europe/Paris',
      description: '<p>Bring a blanket.</p>',
      cost: '5 €',
      venue: { venue: 'Place Bellecour', city: 'Lyon' },
      categories: ['Concerts'],
      tags: ['concert'],
    },
  },
  getEventsById: byId(748),
  postEventsById: byId(753, { cost: '5 €' }),
  putEventsById: byId(753, { website: 'https://example.org/paper' }),
  patchEventsById: byId(753, { featured: true }),
  deleteEventsById: byId(1137),
  getEventsBySlug: bySlug('show-carlo-gozzis-king-stag'),
  postEventsBySlug: bySlug('show-carlo-gozzis-king-stag', { excerpt: 'A fable from Venice.' }),
  putEventsBySlug: bySlug('show-carlo-gozzis-king-stag', { cost: '12 €' }),
  patchEventsBySlug: bySlug('show-carlo-gozzis-king-stag', { sticky: true }),
  deleteEventsBySlug: bySlug('concert'),

  getVenues: { query: { search: 'Monaco', per_page: 1 } },
  postVenues: { body: { venue: 'Parc de la Tête d’Or', city: 'Lyon', country: 'France' } },
  getVenuesById: byId(578),
  postVenuesById: byId(335, { address: '1 place Saint-Pierre' }),
  putVenuesById: byId(335, { phone: '+33 2 00 00 00 00' }),
  patchVenuesById: byId(335, { website: 'https://example.org/caen' }),
  deleteVenuesById: byId(616),
  getVenuesBySlug: bySlug('bibliotheque-louis-notari'),
  postVenuesBySlug: bySlug('ville-dabbeville', { address: '1 place Max Lejeune' }),
  putVenuesBySlug: bySlug('ville-dabbeville', { phone: '+33 3 00 00 00 00' }),
  patchVenuesBySlug: bySlug('ville-dabbeville', { website: 'https://example.org/abbeville' }),
  deleteVenuesBySlug: bySlug('prix-bulles-de-sport'),

  getOrganizers: { query: { search: 'Matadero', per_page: 1 } },
  postOrganizers: { body: { organizer: 'Friends of open air', email: 'friends@example.org' } },
  getOrganizersById: byId(622),
  postOrganizersById: byId(633, { phone: '+34 900 00 00 00' }),
  putOrganizersById: byId(633, { email: 'cine@example.org' }),
  patchOrganizersById: byId(633, { website: 'https://example.org/cine' }),
  deleteOrganizersById: byId(736),
  getOrganizersBySlug: bySlug('matadero-madrid'),
  postOrganizersBySlug: bySlug('teatro-circo-price', { phone: '+34 900 00 00 01' }),
  putOrganizersBySlug: bySlug('teatro-circo-price', { email: 'circo@example.org' }),
  patchOrganizersBySlug: bySlug('teatro-circo-price', { website: 'https://example.org/circo' }),
  deleteOrganizersBySlug: bySlug('parque-de-amos-acero'),

  getCategories: { query: { search: 'concert', per_page: 1 } },
  postCategories: { body: { name: 'Jazz', parent: 1 } },
  getCategoriesById: byId(2),
  postCategoriesById: byId(3, { description: 'On a stage.' }),
  putCategoriesById: byId(3, { name: 'Performing arts' }),
  patchCategoriesById: byId(3, { description: 'On a stage, or in a street.' }),
  deleteCategoriesById: byId(17),

  getTags: { query: { orderby: 'count', order: 'desc', per_page: 1 } },
  postTags: { body: { name: 'wheelchair', description: 'Without steps.' } },
  getTagsById: byId(33),
  postTagsById: byId(34, { description: 'Something to look at.' }),
  putTagsById: byId(34, { description: 'Something to look at, or to touch.' }),
  patchTagsById: byId(34, { description: 'To look at, or to touch.' }),
  deleteTagsById: byId(77),
}

/** Anonymous requests that get an error, with their operationId. */
export const invalidRequests: readonly (readonly [operationId: string, request: ExampleRequest])[] = [
  'Events',
  'Venues',
  'Organizers',
  'Categories',
  'Tags',
].flatMap((resource) => [
  [`get${resource}`, { query: { page: 0 } }] as const,
  [`post${resource}`, exampleRequests[`post${resource}`] ?? {}] as const,
  [`get${resource}ById`, { path: { id: 999_999 } }] as const,
])
