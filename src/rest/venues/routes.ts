import { notFound } from '../../errors.ts'
import {
  LegacyCreateVenueDocument,
  LegacyTrashVenueDocument,
  LegacyUpdateVenueDocument,
  LegacyVenueDocument,
  type LegacyVenueFieldsFragment,
  LegacyVenuesDocument,
} from '../../generated/graphql/graphql.ts'
import { jsonOf } from '../json.ts'
import { linkedFilter, linkedQuery, namedByLinked } from '../linked.ts'
import { done, written } from '../outcome.ts'
import { envelope, pastTheEnd } from '../paging.ts'
import { pathId, pathSlug, recordPassword } from '../params.ts'
import { presentation } from '../posts.ts'
import { type Answer, type RestRequest, type Route, route } from '../route.ts'
import { type VenueBody, venueBody, venueInput } from './body.ts'
import { venuesParams } from './params.ts'
import { serializeVenue } from './serialize.ts'

const resource = 'venues'

async function single(identity: { id: string } | { slug: string }, request: RestRequest): Promise<Answer> {
  const { venue } = await request.execute(LegacyVenueDocument, identity, request.context)
  if (!venue) throw notFound('venue', 'id' in identity ? 'id' : 'slug')
  return { body: jsonOf(serializeVenue, venue, presentation(request, 'single')), language: venue.language }
}

type Named = { id: string } | { currentSlug: string }

type Changed = (LegacyVenueFieldsFragment & { language: string }) | null

const changed = (venue: Changed, request: RestRequest): Answer => {
  const record = written(venue)
  return { body: serializeVenue(record, presentation(request, 'list')), language: record.language }
}

async function edit(named: Named, body: VenueBody, request: RestRequest): Promise<Answer> {
  const fields = venueInput(body, request.context.now, request.settings.siteTimeZone)
  const variables = { input: { ...fields, name: body.venue, ...named } }
  const { updateVenue } = await request.execute(LegacyUpdateVenueDocument, variables, request.context)
  return changed(done(updateVenue).venue, request)
}

async function trash(named: Named, request: RestRequest): Promise<Answer> {
  const { trashVenue } = await request.execute(LegacyTrashVenueDocument, { input: named }, request.context)
  return changed(done(trashVenue).venue, request)
}

export const venueRoutes: readonly Route[] = [
  route({
    resource,
    action: 'read',
    path: '/venues',
    summary: 'Venues, the newest first.',
    params: venuesParams,
    named: (params, { execute, context }) =>
      execute(LegacyVenuesDocument, { page: 1, perPage: 1, filter: namedByLinked(params) }, context),
    answer: async (params, request) => {
      const variables = { page: params.page, perPage: params.per_page, filter: linkedFilter(params) }
      const { venuesPage } = await request.execute(LegacyVenuesDocument, variables, request.context)
      if (params.page > 1 && venuesPage.items.length === 0) throw pastTheEnd('venue')
      const form = presentation(request, 'list')
      const items = venuesPage.items.map((venue) => jsonOf(serializeVenue, venue, form))
      const query = { per_page: venuesPage.perPage, ...linkedQuery(params) }
      const position = { page: params.page, path: '/venues/', query, namesFirstPage: true }
      return envelope('venues', { ...venuesPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    action: 'read',
    path: '/venues/{id}',
    summary: 'A venue.',
    params: { id: pathId, password: recordPassword },
    answer: ({ id }, request) => single({ id }, request),
  }),
  route({
    resource,
    action: 'read',
    path: '/venues/by-slug/{slug}',
    summary: 'A venue by any of its slugs.',
    params: { slug: pathSlug, password: recordPassword },
    answer: ({ slug }, request) => single({ slug }, request),
  }),
  route({
    resource,
    action: 'create',
    path: '/venues',
    summary: 'Creates a venue, or answers with the one that has its name.',
    params: venueBody,
    required: ['venue'],
    answer: async (body, request) => {
      const input = venueInput(body, request.context.now, request.settings.siteTimeZone)
      const variables = { input: { ...input, name: body.venue ?? '', orExisting: true } }
      const { createVenue } = await request.execute(LegacyCreateVenueDocument, variables, request.context)
      return { ...changed(done(createVenue).venue, request), status: 201 }
    },
  }),
  route({
    resource,
    action: 'edit',
    path: '/venues/{id}',
    summary: 'Changes a venue: what is not given stays.',
    params: { ...venueBody, id: pathId },
    answer: ({ id, ...body }, request) => edit({ id }, body, request),
  }),
  route({
    resource,
    action: 'edit',
    path: '/venues/by-slug/{slug}',
    summary: 'Changes a venue: what is not given stays.',
    params: { ...venueBody, current_slug: pathSlug },
    answer: ({ current_slug: currentSlug, ...body }, request) => edit({ currentSlug }, body, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/venues/{id}',
    summary: 'Puts a venue into the trash.',
    params: { id: pathId },
    answer: ({ id }, request) => trash({ id }, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/venues/by-slug/{slug}',
    summary: 'Puts a venue into the trash.',
    params: { slug: pathSlug },
    answer: ({ slug }, request) => trash({ currentSlug: slug }, request),
  }),
]
