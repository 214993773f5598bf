import { passwordRequired } from '../../errors.ts'
import { LegacyEventDocument, LegacyEventsDocument } from '../../generated/graphql/graphql.ts'
import { envelope, pastTheEnd } from '../paging.ts'
import { pathId, pathSlug, recordPassword } from '../params.ts'
import { presentation } from '../posts.ts'
import { type Answer, type RestRequest, type Route, route } from '../route.ts'
import { eventsParams, eventsVariables } from './params.ts'
import { serializeEvent } from './serialize.ts'

const resource = 'events'

async function single(identity: { id: string } | { slug: string }, request: RestRequest): Promise<Answer> {
  const { event } = await request.execute(LegacyEventDocument, identity, request.context)
  if (!event || event.locked) throw passwordRequired('event')
  return { body: serializeEvent(event, presentation(request, 'single')) }
}

export const eventRoutes: readonly Route[] = [
  route({
    resource,
    path: '/events',
    summary: 'Events by start.',
    params: eventsParams,
    answer: async (params, request) => {
      const { variables, query } = eventsVariables(params, request.context.now, request.settings)
      const { eventsPage } = await request.execute(LegacyEventsDocument, variables, request.context)
      if (params.page > 1 && eventsPage.items.length === 0) throw pastTheEnd('event')
      const items = eventsPage.items.map((event) => serializeEvent(event, presentation(request, 'list')))
      const position = { page: params.page, path: '/events/', namesFirstPage: true }
      const effective = { per_page: eventsPage.perPage, ...query }
      return envelope('events', { ...eventsPage, items }, { ...position, query: effective }, request.urls)
    },
  }),
  route({
    resource,
    path: '/events/{id}',
    summary: 'An event.',
    params: { id: pathId, password: recordPassword },
    answer: ({ id }, request) => single({ id }, request),
  }),
  route({
    resource,
    path: '/events/by-slug/{slug}',
    summary: 'An event by any of its slugs.',
    params: { slug: pathSlug, password: recordPassword },
    answer: ({ slug }, request) => single({ slug }, request),
  }),
]
