// All routes of the legacy contract. They are served, and listed by the index, OPTIONS and /doc.

import type { Settings } from '../../basics/env.ts'
import { passwordRequired, trashed } from '../../basics/errors.ts'
import { LegacyStoredEventDocument } from '../../generated/graphql/graphql.ts'
import { type EventBody, eventBody, eventInput, needsStoredTimeZone } from './events/body.ts'
import { checkLocation, eventReferencesFilter, eventsParams, eventsVariables } from './events/params.ts'
import { serializeEvent } from './events/serialize.ts'
import { windowExpiry } from './events/window.ts'
import { namespaceRoutes } from './namespace.ts'
import { languageParam, languageSpellings, readContext, recordPassword } from './params.ts'
import { organizerBody, organizerInput, venueBody, venueInput } from './post-body.ts'
import { postList } from './post-list-params.ts'
import { serializeOrganizer, serializeVenue } from './posts.ts'
import { recordRoutes, type WriteTarget } from './record-routes.ts'
import type { RestRequest, Route } from './route.ts'
import { categoryBody, categoryInput, tagBody, tagInput } from './term-body.ts'
import { categoryList, tagList } from './term-list-params.ts'
import { serializeCategory, serializeTag } from './terms.ts'

/** The input of a mutation. Relative dates are in the time zone of the event. */
async function eventInputOf(body: EventBody, request: RestRequest, target?: WriteTarget<'event'>) {
  const { now } = request.context
  const { siteTimeZone } = request.settings
  const needsStored = target && (needsStoredTimeZone(body) || body.is_virtual)
  const stored = needsStored ? await storedEvent(target, request) : undefined
  const timeZone = body.timezone || (body.timezone === undefined && stored?.timeZone) || siteTimeZone
  return eventInput(body, { now, siteTimeZone, timeZone, attendanceMode: stored?.attendanceMode })
}

async function storedEvent(target: WriteTarget<'event'>, { execute, context }: RestRequest) {
  const readTarget = 'id' in target ? target : { slug: target.currentSlug }
  return (await execute(LegacyStoredEventDocument, readTarget, context)).event
}

const namedPost = {
  readParams: { password: recordPassword },
  creation: ', or returns the existing one with the same name',
  creationInput: () => ({ orExisting: true }),
}

const resources: readonly Route[] = [
  ...recordRoutes('event', {
    list: {
      order: 'sorted by start',
      params: eventsParams,
      checkCombination: checkLocation,
      references: eventReferencesFilter,
      variables: (params, { context: { now }, settings }) => ({
        ...eventsVariables(params, now, settings),
        expiresAt: params.include ? undefined : () => windowExpiry(params, now, settings),
      }),
    },
    readParams: { password: recordPassword, context: readContext },
    writeParams: { password: recordPassword },
    body: eventBody,
    nameParam: 'title',
    required: ['title', 'start_date', 'end_date'],
    validatedTogether: ['start_date', 'end_date', 'timezone', 'all_day'],
    input: eventInputOf,
    // An empty website of a new event counts as none, so that its page takes its place.
    creationInput: ({ website }) => ({ website: website || undefined }),
    checkReadable({ status, locked }) {
      // Also for users who may restore it (contract d.3).
      if (status === 'TRASH') throw trashed('event')
      if (locked) throw passwordRequired('event')
    },
    serialize: serializeEvent,
  }),
  ...recordRoutes('venue', {
    ...namedPost,
    list: postList('venues'),
    body: venueBody,
    nameParam: 'venue',
    input: (body, { context, settings }) => venueInput(body, context.now, settings.siteTimeZone),
    serialize: serializeVenue,
  }),
  ...recordRoutes('organizer', {
    ...namedPost,
    list: postList('organizers'),
    body: organizerBody,
    nameParam: 'organizer',
    input: (body, { context, settings }) => organizerInput(body, context.now, settings.siteTimeZone),
    serialize: serializeOrganizer,
  }),
  ...recordRoutes('category', {
    list: categoryList,
    body: categoryBody,
    nameParam: 'name',
    input: categoryInput,
    serialize: serializeCategory,
  }),
  ...recordRoutes('tag', {
    list: tagList,
    body: tagBody,
    nameParam: 'name',
    input: tagInput,
    serialize: serializeTag,
  }),
]

interface Options extends Pick<Settings, 'legacyAddresses'> {
  readonly languages: readonly string[]
}

export function restRoutes(options: Options): readonly Route[] {
  const routes = withLanguageParams([...namespaceRoutes(() => routes), ...resources], options)
  return routes
}

export function withLanguageParams(
  routes: readonly Route[],
  { languages, legacyAddresses }: Options,
): readonly Route[] {
  const params = {
    translation_language: languageParam(languages),
    ...(legacyAddresses ? languageSpellings(languages) : {}),
  }
  return routes.map((route) => ({ ...route, params: { ...route.params, ...params } }))
}
