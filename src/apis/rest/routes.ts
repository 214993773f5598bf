// All routes of the legacy contract. They are served, and listed by the index, OPTIONS and /doc.

import type { Settings } from '../../basics/env.ts'
import { passwordRequiredError, trashedError } from '../../basics/errors.ts'
import { LegacyStoredEventDocument } from '../../generated/graphql/graphql.ts'
import { type EventBody, eventBody, needsStoredTimeZone, toEventInput } from './events/body.ts'
import {
  checkLocationParams,
  eventReferencesFilter,
  eventsParams,
  toEventsVariables,
  toSyncFilter,
} from './events/params.ts'
import { serializeEvent } from './events/serialize.ts'
import { dateBoundsExpiry } from './events/window.ts'
import { createNamespaceRoutes } from './namespace.ts'
import { contextParam, createLanguageParam, createLegacyLanguageParams, recordPasswordParam } from './params.ts'
import { organizerBody, toOrganizerInput, toVenueInput, venueBody } from './post-body.ts'
import { createPostListDefinition } from './post-list-params.ts'
import { serializeOrganizer, serializeVenue } from './posts.ts'
import { createRecordRoutes, type WriteTarget } from './record-routes.ts'
import type { RestRequest, Route } from './route.ts'
import { categoryBody, tagBody, toCategoryInput, toTagInput } from './term-body.ts'
import { categoryListDefinition, tagListDefinition } from './term-list-params.ts'
import { serializeCategory, serializeTag } from './terms.ts'

/** Converts the body to the input of a mutation. Resolves relative dates in the time zone of the event. */
async function eventInputOf(body: EventBody, request: RestRequest, target?: WriteTarget<'event'>) {
  const { now } = request.context
  const { siteTimeZone } = request.settings
  const needsStored = target && (needsStoredTimeZone(body) || body.is_virtual)
  const stored = needsStored ? await storedEvent(target, request) : undefined
  const timeZone = body.timezone || (body.timezone === undefined && stored?.timeZone) || siteTimeZone
  const input = toEventInput(body, { now, siteTimeZone, timeZone, attendanceMode: stored?.attendanceMode })
  return target ? { ...input, scope: 'BY_FIELD' as const } : input
}

async function storedEvent(target: WriteTarget<'event'>, { execute, context }: RestRequest) {
  const readTarget = 'id' in target ? target : { slug: target.currentSlug }
  return (await execute(LegacyStoredEventDocument, readTarget, context)).event
}

const namedPost = {
  readParams: { password: recordPasswordParam },
  creation: ', or returns the existing one with the same name',
  creationInput: () => ({ orExisting: true }),
}

const resources: readonly Route[] = [
  ...createRecordRoutes('event', {
    list: {
      order: 'sorted by start',
      params: eventsParams,
      checkCombination: checkLocationParams,
      references: eventReferencesFilter,
      syncFilter: (params, { context: { now }, settings }) => toSyncFilter(params, now, settings),
      variables: (params, { context: { now }, settings }) => ({
        ...toEventsVariables(params, now, settings),
        expiresAt: params.include ? undefined : () => dateBoundsExpiry(params, now, settings),
      }),
    },
    readParams: { password: recordPasswordParam, context: contextParam },
    writeParams: { password: recordPasswordParam },
    body: eventBody,
    nameParam: 'title',
    required: ['title', 'start_date', 'end_date'],
    validatedTogether: ['start_date', 'end_date', 'timezone', 'all_day'],
    input: eventInputOf,
    // An empty website of a new event counts as none, so that its page takes its place.
    creationInput: ({ website }) => ({ website: website || undefined }),
    checkReadable({ status, locked }) {
      // A trashed event responds 410 even to users who may restore it (contract d.3).
      if (status === 'TRASH') throw trashedError('event')
      if (locked) throw passwordRequiredError('event')
    },
    serialize: serializeEvent,
  }),
  ...createRecordRoutes('venue', {
    ...namedPost,
    list: createPostListDefinition('venues'),
    body: venueBody,
    nameParam: 'venue',
    input: (body, { context, settings }) => toVenueInput(body, context.now, settings.siteTimeZone),
    serialize: serializeVenue,
  }),
  ...createRecordRoutes('organizer', {
    ...namedPost,
    list: createPostListDefinition('organizers'),
    body: organizerBody,
    nameParam: 'organizer',
    input: (body, { context, settings }) => toOrganizerInput(body, context.now, settings.siteTimeZone),
    serialize: serializeOrganizer,
  }),
  ...createRecordRoutes('category', {
    list: categoryListDefinition,
    body: categoryBody,
    nameParam: 'name',
    input: toCategoryInput,
    serialize: serializeCategory,
  }),
  ...createRecordRoutes('tag', {
    list: tagListDefinition,
    body: tagBody,
    nameParam: 'name',
    input: toTagInput,
    serialize: serializeTag,
  }),
]

interface Options extends Pick<Settings, 'legacyAddresses'> {
  readonly languages: readonly string[]
}

export function createRestRoutes(options: Options): readonly Route[] {
  const routes = withLanguageParams([...createNamespaceRoutes(() => routes), ...resources], options)
  return routes
}

export function withLanguageParams(
  routes: readonly Route[],
  { languages, legacyAddresses }: Options,
): readonly Route[] {
  const params = {
    translation_language: createLanguageParam(languages),
    ...(legacyAddresses ? createLegacyLanguageParams(languages) : {}),
  }
  return routes.map((route) => ({ ...route, params: { ...route.params, ...params } }))
}
