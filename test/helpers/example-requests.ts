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

  getEvents: { query: { search: 'old pier', per_page: 1 } },
  postEvents: {
    body: {
      title: 'Open-air concert',
      start_date: '2027-06-21 18:00',
      end_date: '2027-06-21 23:30',
      timezone: 'Atlantic/Canary',
      description: '<p>Bring a blanket.</p>',
      cost: '5 €',
      venue: { venue: 'Parque de las Palmeras', city: 'Puerto Alisio' },
      categories: ['Concerts'],
      tags: ['Open air'],
    },
  },
  getEventsById: byId(65),
  postEventsById: byId(92, { cost: '5 €' }),
  putEventsById: byId(92, { website: 'https://example.org/tiles' }),
  patchEventsById: byId(92, { featured: true }),
  deleteEventsById: byId(100),
  getEventsBySlug: bySlug('jazz-on-the-old-pier-rosa-quintero-trio'),
  postEventsBySlug: bySlug('jazz-on-the-old-pier-rosa-quintero-trio', { excerpt: 'Jazz above the water.' }),
  putEventsBySlug: bySlug('jazz-on-the-old-pier-rosa-quintero-trio', { cost: '10 €' }),
  patchEventsBySlug: bySlug('jazz-on-the-old-pier-rosa-quintero-trio', { sticky: true }),
  deleteEventsBySlug: bySlug('seed-exchange'),

  getVenues: { query: { search: 'pier', per_page: 1 } },
  postVenues: { body: { venue: 'Casa del Pescador', city: 'Puerto Alisio', country: 'España' } },
  getVenuesById: byId(43),
  postVenuesById: byId(48, { address: 'Carretera del Risco, km 10' }),
  putVenuesById: byId(48, { phone: '+34 922 000 199' }),
  patchVenuesById: byId(48, { website: 'https://example.org/viewpoint' }),
  deleteVenuesById: byId(50),
  getVenuesBySlug: bySlug('old-pier'),
  postVenuesBySlug: bySlug('salt-museum', { address: 'Camino de las Salinas 1' }),
  putVenuesBySlug: bySlug('salt-museum', { phone: '+34 922 000 179' }),
  patchVenuesBySlug: bySlug('salt-museum', { website: 'https://example.org/salt' }),
  deleteVenuesBySlug: bySlug('chapel-of-san-telmo'),

  getOrganizers: { query: { search: 'Viento', per_page: 1 } },
  postOrganizers: { body: { organizer: 'Friends of open air', email: 'friends@example.org' } },
  getOrganizersById: byId(52),
  postOrganizersById: byId(58, { phone: '+34 922 000 127' }),
  putOrganizersById: byId(58, { email: 'farmers@example.org' }),
  patchOrganizersById: byId(58, { website: 'https://example.org/farmers' }),
  deleteOrganizersById: byId(57),
  getOrganizersBySlug: bySlug('viento-y-madera'),
  postOrganizersBySlug: bySlug('salt-museum', { phone: '+34 922 000 180' }),
  putOrganizersBySlug: bySlug('salt-museum', { email: 'salt@example.org' }),
  patchOrganizersBySlug: bySlug('salt-museum', { website: 'https://example.org/salt' }),
  deleteOrganizersBySlug: bySlug('las-nubes-astronomy-group'),

  getCategories: { query: { search: 'concert', per_page: 1 } },
  postCategories: { body: { name: 'Jazz', parent: 1 } },
  getCategoriesById: byId(2),
  postCategoriesById: byId(3, { description: 'On a stage.' }),
  putCategoriesById: byId(3, { name: 'Performing arts' }),
  patchCategoriesById: byId(3, { description: 'On a stage, or in a street.' }),
  deleteCategoriesById: byId(7),

  getTags: { query: { orderby: 'count', order: 'desc', per_page: 1 } },
  postTags: { body: { name: 'Wheelchair', description: 'Without steps.' } },
  getTagsById: byId(12),
  postTagsById: byId(22, { description: 'Something to look at.' }),
  putTagsById: byId(22, { description: 'Something to look at, or to touch.' }),
  patchTagsById: byId(22, { description: 'To look at, or to touch.' }),
  deleteTagsById: byId(26),
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
