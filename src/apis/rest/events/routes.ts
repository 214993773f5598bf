import { passwordRequired, trashed } from '../../../basics/errors.ts'
import {
  LegacyCreateEventDocument,
  LegacyEventDocument,
  type LegacyEventFieldsFragment,
  LegacyEventsDocument,
  LegacyStoredEventDocument,
  LegacyTrashEventDocument,
  LegacyUpdateEventDocument,
} from '../../../generated/graphql/graphql.ts'
import { listJson, recordJson } from '../json.ts'
import { clampedPageSize, listResult, pageNotFound } from '../paging.ts'
import { pathId, pathSlug, readContext, recordPassword } from '../params.ts'
import { requireRecord, requireSuccess } from '../payload.ts'
import { presentation } from '../posts.ts'
import { type RestRequest, type RestResult, type Route, route } from '../route.ts'
import { type EventBody, eventBody, eventInput, needsStoredTimeZone } from './body.ts'
import { checkLocation, eventReferences, eventsParams, eventsVariables } from './params.ts'
import { serializeEvent } from './serialize.ts'
import { windowExpiry } from './window.ts'

const resource = 'events'

const scheduleParams = ['start_date', 'end_date', 'timezone', 'all_day']

type ReadTarget = { id: string } | { slug: string }
type WriteTarget = { id: string } | { currentSlug: string }

async function read(target: ReadTarget, request: RestRequest): Promise<RestResult> {
  const { event } = await request.execute(LegacyEventDocument, target, request.context)
  // Also for users who may restore it (contract d.3).
  if (event?.status === 'TRASH') throw trashed('event')
  if (!event || event.locked) throw passwordRequired('event')
  return { body: recordJson(serializeEvent, event, presentation(request)), language: event.languages.tag }
}

type WrittenEvent = (LegacyEventFieldsFragment & { languages: { tag: string } }) | null

const writeResult = (event: WrittenEvent, request: RestRequest): RestResult => {
  const record = requireRecord(event)
  return { body: serializeEvent(record, presentation(request)), language: record.languages.tag }
}

async function update(target: WriteTarget, body: EventBody, request: RestRequest): Promise<RestResult> {
  const { now } = request.context
  const { siteTimeZone } = request.settings
  const stored = needsStoredTimeZone(body) || body.is_virtual ? await storedEvent(target, request) : undefined
  const timeZone = body.timezone || (body.timezone === undefined && stored?.timeZone) || siteTimeZone
  const bodyContext = { now, siteTimeZone, timeZone, attendanceMode: stored?.attendanceMode }
  const input = { ...eventInput(body, bodyContext), title: body.title, ...target }
  const { updateEvent } = await request.execute(LegacyUpdateEventDocument, { input }, request.context)
  return writeResult(requireSuccess(updateEvent).event, request)
}

async function storedEvent(target: WriteTarget, request: RestRequest) {
  const readTarget = 'id' in target ? target : { slug: target.currentSlug }
  const { event } = await request.execute(LegacyStoredEventDocument, readTarget, request.context)
  return event
}

async function trash(target: WriteTarget, request: RestRequest): Promise<RestResult> {
  const { trashEvent } = await request.execute(LegacyTrashEventDocument, { input: target }, request.context)
  return writeResult(requireSuccess(trashEvent).event, request)
}

export const eventRoutes: readonly Route[] = [
  route({
    resource,
    action: 'read',
    path: '/events',
    summary: 'Lists events, sorted by start.',
    params: eventsParams,
    checkCombination: checkLocation,
    checkReferences: (params, { execute, context }) =>
      execute(LegacyEventsDocument, { page: 1, perPage: 1, filter: eventReferences(params) }, context),
    handle: async (params, request) => {
      const { variables, query } = eventsVariables(params, request.context.now, request.settings)
      const perPage = clampedPageSize(variables.perPage ?? undefined, request.settings)
      const { eventsPage } = await request.execute(LegacyEventsDocument, { ...variables, perPage }, request.context)
      if (params.page > 1 && eventsPage.items.length === 0) throw pageNotFound('event')
      const format = presentation(request)
      const items = await listJson(serializeEvent, eventsPage.items, format)
      const effectiveQuery = { per_page: eventsPage.perPage, ...query }
      const address = { page: params.page, path: '/events/', query: effectiveQuery, selfLinkHasPage: true }
      const result = listResult('events', { ...eventsPage, items }, address, request.urls)
      if (params.include) return result
      return { ...result, expiresAt: () => windowExpiry(params, request.context.now, request.settings) }
    },
  }),
  route({
    resource,
    action: 'read',
    path: '/events/{id}',
    summary: 'Reads an event by ID.',
    params: { id: pathId, password: recordPassword, context: readContext },
    handle: ({ id }, request) => read({ id }, request),
  }),
  route({
    resource,
    action: 'read',
    path: '/events/by-slug/{slug}',
    summary: 'Reads an event by any of its slugs.',
    params: { slug: pathSlug, password: recordPassword, context: readContext },
    handle: ({ slug }, request) => read({ slug }, request),
  }),
  route({
    resource,
    action: 'create',
    path: '/events',
    summary: 'Creates an event.',
    params: eventBody,
    required: ['title', 'start_date', 'end_date'],
    handle: async (body, request) => {
      const { now } = request.context
      const { siteTimeZone } = request.settings
      const timeZone = body.timezone || siteTimeZone
      const website = body.website || undefined
      const input = eventInput({ ...body, website }, { now, siteTimeZone, timeZone })
      const variables = { input: { ...input, title: body.title ?? '' } }
      const { createEvent } = await request.execute(LegacyCreateEventDocument, variables, request.context)
      return { ...writeResult(requireSuccess(createEvent).event, request), status: 201 }
    },
  }),
  route({
    resource,
    action: 'edit',
    path: '/events/{id}',
    summary: 'Updates an event. Fields that are not sent do not change.',
    params: { ...eventBody, id: pathId, password: recordPassword },
    validatedTogether: scheduleParams,
    handle: ({ id, ...body }, request) => update({ id }, body, request),
  }),
  route({
    resource,
    action: 'edit',
    path: '/events/by-slug/{slug}',
    summary: 'Updates an event. Fields that are not sent do not change; `slug` in the body renames it.',
    params: { ...eventBody, current_slug: pathSlug },
    validatedTogether: scheduleParams,
    handle: ({ current_slug: currentSlug, ...body }, request) => update({ currentSlug }, body, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/events/{id}',
    summary: 'Moves an event to the trash.',
    params: { id: pathId, password: recordPassword },
    handle: ({ id }, request) => trash({ id }, request),
  }),
  route({
    resource,
    action: 'delete',
    path: '/events/by-slug/{slug}',
    summary: 'Moves an event to the trash.',
    params: { slug: pathSlug },
    handle: ({ slug }, request) => trash({ currentSlug: slug }, request),
  }),
]
