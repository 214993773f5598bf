import { notFound } from '../../errors.ts'
import { LegacyOrganizerDocument, LegacyOrganizersDocument } from '../../generated/graphql/graphql.ts'
import { envelope, pastTheEnd } from '../paging.ts'
import { pathId, pathSlug, recordPassword } from '../params.ts'
import { presentation } from '../posts.ts'
import { type Answer, type RestRequest, type Route, route } from '../route.ts'
import { organizersParams } from './params.ts'
import { serializeOrganizer } from './serialize.ts'

const resource = 'organizers'

async function single(identity: { id: string } | { slug: string }, request: RestRequest): Promise<Answer> {
  const { organizer } = await request.execute(LegacyOrganizerDocument, identity, request.context)
  if (!organizer) throw notFound('organizer', 'id' in identity ? 'id' : 'slug')
  return { body: serializeOrganizer(organizer, presentation(request, 'single')) }
}

export const organizerRoutes: readonly Route[] = [
  route({
    resource,
    path: '/organizers',
    summary: 'Organizers, the newest first.',
    params: organizersParams,
    answer: async (params, request) => {
      const variables = { page: params.page, perPage: params.per_page }
      const { organizersPage } = await request.execute(LegacyOrganizersDocument, variables, request.context)
      if (params.page > 1 && organizersPage.items.length === 0) throw pastTheEnd('organizer')
      const items = organizersPage.items.map((organizer) =>
        serializeOrganizer(organizer, presentation(request, 'list')),
      )
      const query = { per_page: organizersPage.perPage, status: params.status?.join(',') }
      const position = { page: params.page, path: '/organizers/', query, namesFirstPage: true }
      return envelope('organizers', { ...organizersPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    path: '/organizers/{id}',
    summary: 'An organizer.',
    params: { id: pathId, password: recordPassword },
    answer: ({ id }, request) => single({ id }, request),
  }),
  route({
    resource,
    path: '/organizers/by-slug/{slug}',
    summary: 'An organizer by any of its slugs.',
    params: { slug: pathSlug, password: recordPassword },
    answer: ({ slug }, request) => single({ slug }, request),
  }),
]
