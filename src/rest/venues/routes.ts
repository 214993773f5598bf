import { notFound } from '../../errors.ts'
import { LegacyVenueDocument, LegacyVenuesDocument } from '../../generated/graphql/graphql.ts'
import { envelope, pastTheEnd } from '../paging.ts'
import { pathId, pathSlug, recordPassword } from '../params.ts'
import { presentation } from '../posts.ts'
import { type Answer, type RestRequest, type Route, route } from '../route.ts'
import { venuesParams } from './params.ts'
import { serializeVenue } from './serialize.ts'

const resource = 'venues'

async function single(identity: { id: string } | { slug: string }, request: RestRequest): Promise<Answer> {
  const { venue } = await request.execute(LegacyVenueDocument, identity, request.context)
  if (!venue) throw notFound('venue', 'id' in identity ? 'id' : 'slug')
  return { body: serializeVenue(venue, presentation(request, 'single')) }
}

export const venueRoutes: readonly Route[] = [
  route({
    resource,
    path: '/venues',
    summary: 'Venues, the newest first.',
    params: venuesParams,
    answer: async (params, request) => {
      const variables = { page: params.page, perPage: params.per_page }
      const { venuesPage } = await request.execute(LegacyVenuesDocument, variables, request.context)
      if (params.page > 1 && venuesPage.items.length === 0) throw pastTheEnd('venue')
      const items = venuesPage.items.map((venue) => serializeVenue(venue, presentation(request, 'list')))
      const query = { per_page: venuesPage.perPage, status: params.status?.join(',') }
      const position = { page: params.page, path: '/venues/', query, namesFirstPage: true }
      return envelope('venues', { ...venuesPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    path: '/venues/{id}',
    summary: 'A venue.',
    params: { id: pathId, password: recordPassword },
    answer: ({ id }, request) => single({ id }, request),
  }),
  route({
    resource,
    path: '/venues/by-slug/{slug}',
    summary: 'A venue by any of its slugs.',
    params: { slug: pathSlug, password: recordPassword },
    answer: ({ slug }, request) => single({ slug }, request),
  }),
]
