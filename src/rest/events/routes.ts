import { passwordRequired, trashed } from '../../errors.ts'
import {
  LegacyCreateEventDocument,
  LegacyEventDocument,
  type LegacyEventFieldsFragment,
  LegacyEventsDocument,
  LegacyEventZoneDocument,
  LegacyTrashEventDocument,
  LegacyUpdateEventDocument,
} from '../../generated/graphql/graphql.ts'
import { jsonOf } from '../json.ts'
import { done, written } from '../outcome.ts'
import { envelope, pastTheEnd } from '../paging.ts'
import { pathId, pathSlug, readContext, recordPassword } from '../params.ts'
import { presentation } from '../posts.ts'
import { type Answer, type RestRequest, type Route, route } from '../route.ts'
import { type EventBody, eventBody, eventInput, needsZone } from './body.ts'
import { checkEventsParams, eventsParams, eventsVariables, namedByEvents } from './params.ts'
import { serializeEvent } from './serialize.ts'
import { windowEnd } from './window.ts'

const resource = 'events'

const schedule = ['start_date', 'end_date', 'timezone', 'all_day']

async function single(identity: { id: string } | { slug: string }, request: RestRequest): Promise<Answer> {
  const { event } = await request.execute(LegacyEventDocument, identity, request.context)
  // Even to those who may restore it, which this door has no word for (contract d.3).
  if (event?.status === 'TRASH') throw trashed('event')
  if (!event || event.locked) throw passwordRequired('event')
  return { body: jsonOf(serializeEvent, event, presentation(request, 'single')), language: event.language }
}

type Named = { id: string } | { currentSlug: string }

type Changed = (LegacyEventFieldsFragment & { language: string }) | null

const changed = (event: Changed, request: RestRequest): Answer => {
  const record = written(event)
  return { body: serializeEvent(record, presentation(request, 'list')), language: record.language }
}

async function edit(named: Named, body: EventBody, request: RestRequest): Promise<Answer> {
  const { now } = request.context
  const { siteTimeZone } = request.settings
  const wanted = body.timezone === '' ? siteTimeZone : body.timezone
  const timeZone = wanted ?? (needsZone(body) ? await zoneOf(named, request) : siteTimeZone)
  const input = { ...eventInput(body, { now, siteTimeZone, timeZone }), title: body.title, ...named }
  const { updateEvent } = await request.execute(LegacyUpdateEventDocument, { input }, request.context)
  return changed(done(updateEvent).event, request)
}

/** Words such as `tomorrow` are read in the zone that the event has. */
async function zoneOf(named: Named, request: RestRequest): Promise<string> {
  const identity = 'id' in named ? named : { slug: named.currentSlug }
  const { event } = await request.execute(LegacyEventZoneDocument, identity, request.context)
  return event?.timeZone ?? request.settings.siteTimeZone
}

async function trash(named: Named, request: RestRequest): Promise<Answer> {
  const { trashEvent } = await request.execute(LegacyTrashEventDocument, { input: named }, request.context)
  return changed(done(trashEvent).event, request)
}

export const eventRoutes: readonly Route[] = [
  route({
    resource,
    action: 'read',
    path: '/events',
    summary: 'Events by start.',
    params: eventsParams,
    check: checkEventsParams,
    named: (params, { execute, context }) =>
      execute(LegacyEventsDocument, { page: 1, perPage: 1, filter: namedByEvents(params) }, context),
    answer: async (params, request) => {
      const { variables, query } = eventsVariables(params, request.context.now, request.settings)
      const { eventsPage } = await request.execute(LegacyEventsDocument, variables, request.context)
      if (params.page > 1 && eventsPage.items.length === 0) throw pastTheEnd('event')
      const form = presentation(request, 'list')
      const items = eventsPage.items.map((event) => jsonOf(serializeEvent, event, form))
      const position = { page: params.page, path: '/events/', namesFirstPage: true }
      const effective = { per_page: eventsPage.perPage, ...query }
      const list = envelope('events', { ...eventsPage, items }, { ...position, query: effective }, request.urls)
      if (params.include) return list
      return { ...list, until: () => windowEnd(params, request.context.now, request.settings) }
    },
  }),
  route({
    resource,
    action: 'read',
    path: '/events/{id}',
    summary: 'An event.',
    params: { id: pathId, password: recordPassword, context: readContext },
    answer: ({ id }, request) => single({ id }, request),
  }),
  route({
    resource,
    action: 'read',
    path: '/events/by-slug/{slug}',
    summary: 'An event by any of its slugs.',
    params: { slug: pathSlug, password: recordPassword, context: readContext },
    answer: ({ slug }, request) => single({ slug }, request),
  }),
  route({
    resource,
    action: 'create',
    path: '/events',
    summary: 'Creates an event.',
    params: eventBody,
    required: ['title', 'start_date', 'end_date'],
    answer: async (body, request) => {
      const { now } = request.context
      const { siteTimeZone } = request.settings
      const timeZone = body.timezone || siteTimeZone
      const website = body.website || undefined
      const input = eventInput({ ...body, website }, { now, siteTimeZone, timeZone })
      const variables = { input: { ...input, title: body.title ?? '' } }
      const { createEvent } = await request.execute(LegacyCreateEventDocument, variables, request.context)
      return { ...changed(done(createEvent).event, request), status: 201 }
    },
  }),
  route({
    resource,
    action: 'edit',
    path: '/events/{id}',
    summary: 'Changes an event: what is not given stays.',
    params: { ...eventBody, id: pathId, password: recordPassword },
    together: schedule,
    answer: ({ id, ...body }, request) => edit({ id }, body, request),
  }),
  route({
    resource,
    action: 'edit',
    path: '/events/by-slug/{slug}',
    summary: 'Changes an event: what is not given stays; `slug` in the body renames it.',
    params: { ...eventBody, current_slug: pathSlug },
    together: schedule,
    answer: ({ current_slug: currentSlug, ...body }, request) => edit({ currentSlug }, body, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/events/{id}',
    summary: 'Puts an event into the trash.',
    params: { id: pathId, password: recordPassword },
    answer: ({ id }, request) => trash({ id }, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/events/by-slug/{slug}',
    summary: 'Puts an event into the trash.',
    params: { slug: pathSlug },
    answer: ({ slug }, request) => trash({ currentSlug: slug }, request),
  }),
]
