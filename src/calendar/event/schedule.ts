// Computes when an event takes place: local times in its time zone, and the instants they denote.
import type { Settings } from '../../basics/env.ts'
import { badInputError } from '../../basics/errors.ts'
import {
  addDays,
  dateToWallClock,
  endOfDay,
  isZone,
  startOfDay,
  toInstant,
  toWallClock,
  wallClockToDate,
} from '../../basics/time.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { isStorableDate } from '../../service/graphql/scalars.ts'

export interface ScheduleInput {
  /** Instants, instead of local times. With a local time in an hour that occurs twice (clocks set back), the instant decides. */
  readonly startsAt?: Date | null | undefined
  readonly endsAt?: Date | null | undefined
  readonly startsLocal?: string | null | undefined
  readonly endsLocal?: string | null | undefined
  readonly timeZone?: string | null | undefined
  readonly allDay?: boolean | null | undefined
}

type Schedule = Pick<
  Prisma.EventGetPayload<object>,
  'startsLocal' | 'endsLocal' | 'startsAt' | 'endsAt' | 'timeZone' | 'allDay'
>
type Calendar = Pick<Settings, 'siteTimeZone' | 'endOfDayCutoff'>

/** Returns the schedule after a change; `before` is undefined for a new event. Throws badInputError for an invalid schedule. */
export function computeSchedule(input: ScheduleInput, before: Schedule | undefined, calendar: Calendar): Schedule {
  // An empty text selects the time zone of the site; without the field, the previous zone is kept.
  const timeZone = (input.timeZone ?? before?.timeZone) || calendar.siteTimeZone
  const hasZone = isZone(timeZone)
  const zone = hasZone ? timeZone : 'UTC'
  const start = fromInput(input.startsLocal, input.startsAt, zone) ?? fromPrevious(before, 'start', zone)
  const end = fromInput(input.endsLocal, input.endsAt, zone) ?? fromPrevious(before, 'end', zone)
  const [startField, endField] = [instantField(input, 'starts'), instantField(input, 'ends')]
  if (!hasZone || !start || !end) {
    throw badInputError({
      ...(!hasZone && {
        timeZone: 'timeZone must be an IANA time zone such as Europe/Paris, or an offset such as UTC+5:30.',
      }),
      ...(!start && { startsLocal: 'A start is required.' }),
      ...(!end && { endsLocal: 'An end is required.' }),
    })
  }
  const allDay = input.allDay ?? before?.allDay ?? false
  const cutoff = calendar.endOfDayCutoff
  // Local times of all-day events do not move, even in a skipped hour.
  const first = allDay
    ? fromWallClock(startOfDay(dayOf(start, cutoff), cutoff), timeZone)
    : skippedForward(start, timeZone)
  const last = allDay ? fromWallClock(endOfDay(dayOf(end, cutoff), cutoff), timeZone) : skippedForward(end, timeZone)
  const [startsLocal, endsLocal] = [wallClockToDate(first.clock), wallClockToDate(last.clock)]
  const outside = Object.entries({ [startField]: [first.instant, startsLocal], [endField]: [last.instant, endsLocal] })
    .filter(([, dates]) => !dates.every(isStorableDate))
    .map(([name]) => [name, `The date must be within the years 1 to 9999, both in ${timeZone} and in UTC.`])
  if (outside.length > 0) throw badInputError(Object.fromEntries(outside))
  // At a change of the clocks, local times and instants can be in a different order.
  if (last.clock < first.clock || last.instant < first.instant)
    throw badInputError({ [endField]: 'The end must not be before the start.' })
  return { startsLocal, endsLocal, startsAt: first.instant, endsAt: last.instant, timeZone, allDay }
}

/** Returns the name of the input field that sets the start or the end. */
const instantField = (input: ScheduleInput, edge: 'starts' | 'ends') =>
  input[`${edge}Local`] == null && input[`${edge}At`] != null ? (`${edge}At` as const) : (`${edge}Local` as const)

/** Recomputes instants, except those that still match the local time: a repeated hour has two. Undefined for an unknown zone. */
export function recomputeInstants({ timeZone, ...before }: Omit<Schedule, 'allDay'>) {
  if (!isZone(timeZone)) return undefined
  const recompute = (instant: Date, local: Date) => {
    const clock = dateToWallClock(local)
    return toWallClock(instant, timeZone) === clock ? instant : toInstant(clock, timeZone)
  }
  const startsAt = recompute(before.startsAt, before.startsLocal)
  const endsAt = recompute(before.endsAt, before.endsLocal)
  return { startsAt, endsAt: endsAt < startsAt ? startsAt : endsAt }
}

/** A local time and its instant; in a repeated hour, either of the two. */
interface WallClockInstant {
  readonly clock: string
  readonly instant: Date
}

const fromWallClock = (clock: string, timeZone: string) => ({ clock, instant: toInstant(clock, timeZone) })

/** A local time in a skipped hour moves forward by the skipped time. */
const skippedForward = ({ clock, instant }: WallClockInstant, timeZone: string): WallClockInstant =>
  isStorableDate(instant) ? { clock: toWallClock(instant, timeZone), instant } : { clock, instant }

function fromInput(local: string | null | undefined, exactInstant: Date | null | undefined, timeZone: string) {
  const exact = exactInstant == null ? undefined : fromInstant(exactInstant, timeZone)
  return local == null || exact?.clock === local ? exact : fromWallClock(local, timeZone)
}

function fromInstant(exact: Date, timeZone: string): WallClockInstant {
  const instant = new Date(Math.floor(exact.getTime() / 1000) * 1000)
  return { clock: toWallClock(instant, timeZone), instant }
}

/** With another time zone, the local time stays and the instant changes. */
function fromPrevious(before: Schedule | undefined, edge: 'start' | 'end', timeZone: string) {
  if (!before) return undefined
  const clock = dateToWallClock(before[`${edge}sLocal`])
  return before.timeZone === timeZone ? { clock, instant: before[`${edge}sAt`] } : fromWallClock(clock, timeZone)
}

/** Returns the day of a local time. With a cutoff, a day ends after midnight. */
function dayOf({ clock }: WallClockInstant, cutoff: string): string {
  const isOnDayBefore = clock.slice(11, 16) < cutoff
  return (isOnDayBefore ? addDays(clock, -1) : clock).slice(0, 10)
}
