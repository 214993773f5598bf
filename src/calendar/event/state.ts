// The state of an event: whether it takes place as planned, and whether people attend it on site or online.
import type { InputShapeFromFields } from '@pothos/core'
import { badInputError } from '../../basics/errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { AttendanceMode, EventStatus as StoredStatus } from '../../generated/prisma/enums.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { enumValues } from '../rules/enums.ts'
import { readLineInput } from '../text/text-input.ts'

export const EventStatus = builder.enumType('EventStatus', {
  description:
    'Whether an event takes place as planned, by the terms of schema.org. `RecordStatus` says who can see the event.',
  values: enumValues<StoredStatus>({
    scheduled: 'The event takes place as planned. In iCalendar (RFC 5545): CONFIRMED.',
    cancelled: 'The event does not take place. In iCalendar: CANCELLED.',
    postponed: 'The event is postponed, and the new date is not known yet. In iCalendar: TENTATIVE.',
    rescheduled: 'The event was moved to another date. In iCalendar: CONFIRMED.',
    moved_online: 'The event was planned on site and takes place online. In iCalendar: CONFIRMED.',
  }),
})

export const EventAttendanceMode = builder.enumType('EventAttendanceMode', {
  description: 'Where people attend an event, by the terms of schema.org.',
  values: enumValues<AttendanceMode>({
    offline: 'People attend the event on site only.',
    online: 'People attend the event online only.',
    mixed: 'People attend the event on site or online.',
  }),
})

export const eventStateInputFields = (t: InputFields) => ({
  eventStatus: t.field({
    type: EventStatus,
    description:
      'Whether the event takes place as planned. RESCHEDULED with a new start stores the former start as previousStartsAt, MOVED_ONLINE changes attendanceMode to ONLINE, and SCHEDULED removes previousStartsAt, unless the input sets these fields.',
  }),
  attendanceMode: t.field({ type: EventAttendanceMode, description: 'Whether people attend on site or online.' }),
  onlineUrl: t.string({
    description: 'Absolute http or https URL where people attend the event online; null or an empty text for none.',
  }),
  previousStartsAt: t.field({
    type: 'DateTime',
    description: 'Instant of the start before the event was rescheduled; null for none.',
  }),
})

type StateInput = InputShapeFromFields<ReturnType<typeof eventStateInputFields>>
type PreviousState = Pick<Prisma.EventGetPayload<object>, 'eventStatus' | 'startsAt'>

/** Returns the columns to write. `before` is undefined for a new event, `startsAt` if the start stays unchanged. */
export function computeStateColumns(input: StateInput, before: PreviousState | undefined, startsAt: Date | undefined) {
  const isMovedOnline = input.eventStatus === 'moved_online'
  return {
    eventStatus: input.eventStatus ?? undefined,
    attendanceMode: input.attendanceMode ?? (isMovedOnline ? ('online' as const) : undefined),
    previousStartsAt: previousStart(input, before, startsAt),
  }
}

function previousStart(
  { eventStatus, previousStartsAt }: StateInput,
  before: PreviousState | undefined,
  startsAt: Date | undefined,
): Date | null | undefined {
  // Truncated to whole seconds, like the start of an event.
  if (previousStartsAt) return new Date(Math.floor(previousStartsAt.getTime() / 1000) * 1000)
  if (previousStartsAt === null || eventStatus === 'scheduled') return null
  const isRescheduled = (eventStatus ?? before?.eventStatus) === 'rescheduled'
  const isMoved = before && startsAt && startsAt.getTime() !== before.startsAt.getTime()
  return isRescheduled && isMoved ? before.startsAt : undefined
}

/** Returns null for empty text. Allows only http and https, because pages show the URL as a link. */
export function checkOnlineUrl(url: string | null | undefined): string | null | undefined {
  if (url === undefined) return undefined
  const text = readLineInput(url) || null
  if (text === null || (URL.canParse(text) && /^https?:\/\/\S+$/i.test(text))) return text
  throw badInputError({
    onlineUrl: 'onlineUrl must be an absolute http or https URL such as https://example.org, or empty.',
  })
}
