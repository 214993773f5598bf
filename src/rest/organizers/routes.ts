import { notFound } from '../../errors.ts'
import {
  LegacyCreateOrganizerDocument,
  LegacyOrganizerDocument,
  type LegacyOrganizerFieldsFragment,
  LegacyOrganizersDocument,
  LegacyTrashOrganizerDocument,
  LegacyUpdateOrganizerDocument,
} from '../../generated/graphql/graphql.ts'
import { jsonOf } from '../json.ts'
import { linkedFilter, linkedQuery, namedByLinked } from '../linked.ts'
import { done, written } from '../outcome.ts'
import { envelope, pastTheEnd } from '../paging.ts'
import { pathId, pathSlug, recordPassword } from '../params.ts'
import { presentation } from '../posts.ts'
import { type Answer, type RestRequest, type Route, route } from '../route.ts'
import { type OrganizerBody, organizerBody, organizerInput } from './body.ts'
import { organizersParams } from './params.ts'
import { serializeOrganizer } from './serialize.ts'

const resource = 'organizers'

async function single(identity: { id: string } | { slug: string }, request: RestRequest): Promise<Answer> {
  const { organizer } = await request.execute(LegacyOrganizerDocument, identity, request.context)
  if (!organizer) throw notFound('organizer', 'id' in identity ? 'id' : 'slug')
  return { body: jsonOf(serializeOrganizer, organizer, presentation(request, 'single')), language: organizer.language }
}

type Named = { id: string } | { currentSlug: string }

type Changed = (LegacyOrganizerFieldsFragment & { language: string }) | null

const changed = (organizer: Changed, request: RestRequest): Answer => {
  const record = written(organizer)
  return { body: serializeOrganizer(record, presentation(request, 'list')), language: record.language }
}

async function edit(named: Named, body: OrganizerBody, request: RestRequest): Promise<Answer> {
  const fields = organizerInput(body, request.context.now, request.settings.siteTimeZone)
  const variables = { input: { ...fields, name: body.organizer, ...named } }
  const { updateOrganizer } = await request.execute(LegacyUpdateOrganizerDocument, variables, request.context)
  return changed(done(updateOrganizer).organizer, request)
}

async function trash(named: Named, request: RestRequest): Promise<Answer> {
  const { trashOrganizer } = await request.execute(LegacyTrashOrganizerDocument, { input: named }, request.context)
  return changed(done(trashOrganizer).organizer, request)
}

export const organizerRoutes: readonly Route[] = [
  route({
    resource,
    action: 'read',
    path: '/organizers',
    summary: 'Organizers, the newest first.',
    params: organizersParams,
    named: (params, { execute, context }) =>
      execute(LegacyOrganizersDocument, { page: 1, perPage: 1, filter: namedByLinked(params) }, context),
    answer: async (params, request) => {
      const variables = { page: params.page, perPage: params.per_page, filter: linkedFilter(params) }
      const { organizersPage } = await request.execute(LegacyOrganizersDocument, variables, request.context)
      if (params.page > 1 && organizersPage.items.length === 0) throw pastTheEnd('organizer')
      const form = presentation(request, 'list')
      const items = organizersPage.items.map((organizer) => jsonOf(serializeOrganizer, organizer, form))
      const query = { per_page: organizersPage.perPage, ...linkedQuery(params) }
      const position = { page: params.page, path: '/organizers/', query, namesFirstPage: true }
      return envelope('organizers', { ...organizersPage, items }, position, request.urls)
    },
  }),
  route({
    resource,
    action: 'read',
    path: '/organizers/{id}',
    summary: 'An organizer.',
    params: { id: pathId, password: recordPassword },
    answer: ({ id }, request) => single({ id }, request),
  }),
  route({
    resource,
    action: 'read',
    path: '/organizers/by-slug/{slug}',
    summary: 'An organizer by any of its slugs.',
    params: { slug: pathSlug, password: recordPassword },
    answer: ({ slug }, request) => single({ slug }, request),
  }),
  route({
    resource,
    action: 'create',
    path: '/organizers',
    summary: 'Creates an organizer, or answers with the one that has its name.',
    params: organizerBody,
    required: ['organizer'],
    answer: async (body, request) => {
      const input = organizerInput(body, request.context.now, request.settings.siteTimeZone)
      const variables = { input: { ...input, name: body.organizer ?? '', orExisting: true } }
      const { createOrganizer } = await request.execute(LegacyCreateOrganizerDocument, variables, request.context)
      return { ...changed(done(createOrganizer).organizer, request), status: 201 }
    },
  }),
  route({
    resource,
    action: 'edit',
    path: '/organizers/{id}',
    summary: 'Changes an organizer: what is not given stays.',
    params: { ...organizerBody, id: pathId },
    answer: ({ id, ...body }, request) => edit({ id }, body, request),
  }),
  route({
    resource,
    action: 'edit',
    path: '/organizers/by-slug/{slug}',
    summary: 'Changes an organizer: what is not given stays.',
    params: { ...organizerBody, current_slug: pathSlug },
    answer: ({ current_slug: currentSlug, ...body }, request) => edit({ currentSlug }, body, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/organizers/{id}',
    summary: 'Puts an organizer into the trash.',
    params: { id: pathId },
    answer: ({ id }, request) => trash({ id }, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/organizers/by-slug/{slug}',
    summary: 'Puts an organizer into the trash.',
    params: { slug: pathSlug },
    answer: ({ slug }, request) => trash({ currentSlug: slug }, request),
  }),
]
