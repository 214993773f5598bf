import { passwordRequired, trashed } from '../../../basics/errors.ts'
import {
  LegacyCreateEventDocument,
  LegacyEventDocument,
  LegacyEventsDocument,
  LegacyStoredEventDocument,
  LegacyTrashEventDocument,
  LegacyUpdateEventDocument,
} from '../../../generated/graphql/graphql.ts'
import { readContext, recordPassword } from '../params.ts'
import { recordRoutes, type WriteTarget } from '../record-routes.ts'
import type { RestRequest } from '../route.ts'
import { type EventBody, eventBody, eventInput, needsStoredTimeZone } from './body.ts'
import { checkLocation, eventReferences, eventsParams, eventsVariables } from './params.ts'
import { serializeEvent } from './serialize.ts'
import { windowExpiry } from './window.ts'

/** The input of a mutation. Relative dates are in the time zone of the event. */
async function inputOf(body: EventBody, request: RestRequest, target?: WriteTarget<'event'>) {
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

export const eventRoutes = recordRoutes('event', {
  operations: {
    list: LegacyEventsDocument,
    read: LegacyEventDocument,
    create: LegacyCreateEventDocument,
    update: LegacyUpdateEventDocument,
    delete: LegacyTrashEventDocument,
  },
  list: {
    order: 'sorted by start',
    params: eventsParams,
    checkCombination: checkLocation,
    references: eventReferences,
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
  input: inputOf,
  // An empty website of a new event counts as none, so that its page takes its place.
  creationInput: ({ website }) => ({ website: website || undefined }),
  checkReadable({ status, locked }) {
    // Also for users who may restore it (contract d.3).
    if (status === 'TRASH') throw trashed('event')
    if (locked) throw passwordRequired('event')
  },
  serialize: serializeEvent,
})
