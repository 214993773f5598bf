// When an event takes place: wall clocks in its zone, and the instants they are.
import { badInput } from '../../errors.ts'
import { isStorable } from '../../graphql/scalars.ts'
import {
  addDays,
  dateWallClock,
  endOfDay,
  isZone,
  startOfDay,
  toInstant,
  toWallClock,
  wallClockDate,
} from '../../time.ts'

export interface ScheduleWish {
  /** Instants, instead of the wall clocks. */
  readonly startsAt?: Date | null | undefined
  readonly endsAt?: Date | null | undefined
  readonly startsLocal?: string | null | undefined
  readonly endsLocal?: string | null | undefined
  readonly timeZone?: string | null | undefined
  readonly allDay?: boolean | null | undefined
}

export interface Schedule {
  readonly startsLocal: Date
  readonly endsLocal: Date
  readonly startsAt: Date
  readonly endsAt: Date
  readonly timeZone: string
  readonly allDay: boolean
}

interface Calendar {
  readonly siteTimeZone: string
  readonly endOfDayCutoff: string
}

type Before = Schedule

/** The schedule after a change; of a new event there is nothing before. Throws badInput when it can't be. */
export function schedule(wish: ScheduleWish, before: Before | undefined, calendar: Calendar): Schedule {
  const timeZone = zoneAfter(wish.timeZone, before, calendar)
  const hasZone = isZone(timeZone)
  const zone = hasZone ? timeZone : 'UTC'
  const start = given(wish.startsLocal, wish.startsAt, zone) ?? kept(before, 'start', zone)
  const end = given(wish.endsLocal, wish.endsAt, zone) ?? kept(before, 'end', zone)
  if (!hasZone || !start || !end) {
    throw badInput({
      ...(!hasZone && { timeZone: 'timeZone is an IANA name such as Europe/Paris, or UTC+5:30.' }),
      ...(!start && { startsLocal: 'Give a start.' }),
      ...(!end && { endsLocal: 'Give an end.' }),
    })
  }
  const allDay = wish.allDay ?? before?.allDay ?? false
  const [first, last] = allDay
    ? wholeDays(start, end, timeZone, calendar.endOfDayCutoff)
    : [shown(start, timeZone), shown(end, timeZone)]
  const [startsLocal, endsLocal] = [wallClockDate(first.clock), wallClockDate(last.clock)]
  const outside = Object.entries({ startsLocal: [first.at, startsLocal], endsLocal: [last.at, endsLocal] })
    .filter(([, dates]) => !dates.every(isStorable))
    .map(([name]) => [name, `In ${timeZone} or in UTC this is not within the years 1 to 9999.`])
  if (outside.length > 0) throw badInput(Object.fromEntries(outside))
  // Where clocks jump, the order of the hands is not always that of the moments.
  if (last.clock < first.clock || last.at < first.at) throw badInput({ endsLocal: 'The end is not before the start.' })
  return { startsLocal, endsLocal, startsAt: first.at, endsAt: last.at, timeZone, allDay }
}

/** Empty text stands for the zone of the site; what is not given stays. */
const zoneAfter = (wanted: ScheduleWish['timeZone'], before: Before | undefined, { siteTimeZone }: Calendar): string =>
  wanted === '' ? siteTimeZone : (wanted ?? before?.timeZone ?? siteTimeZone)

type Edges = Pick<Schedule, 'startsAt' | 'endsAt'>

/**
 * The moments of a schedule by the zone rules of today. One that still shows its wall clock stays: of an hour that
 * clocks show twice it may be either. Undefined when this version knows no such zone.
 */
export function rescheduled({ timeZone, ...before }: Omit<Schedule, 'allDay'>): Edges | undefined {
  if (!isZone(timeZone)) return undefined
  const startsAt = stillAt(before.startsAt, before.startsLocal, timeZone)
  const endsAt = stillAt(before.endsAt, before.endsLocal, timeZone)
  return { startsAt, endsAt: endsAt < startsAt ? startsAt : endsAt }
}

function stillAt(instant: Date, local: Date, timeZone: string): Date {
  const clock = dateWallClock(local)
  return toWallClock(instant, timeZone) === clock ? instant : toInstant(clock, timeZone)
}

/** A wall clock and the moment that it means; of an hour that clocks show twice, either. */
interface Moment {
  readonly clock: string
  readonly at: Date
}

const momentOf = (clock: string, timeZone: string): Moment => ({ clock, at: toInstant(clock, timeZone) })

/** A wall clock that clocks skip is moved forward by the skip, and shown like that. */
const shown = ({ clock, at }: Moment, timeZone: string): Moment =>
  isStorable(at) ? { clock: toWallClock(at, timeZone), at } : { clock, at }

function given(local: string | null | undefined, instant: Date | null | undefined, timeZone: string) {
  if (local != null) return momentOf(local, timeZone)
  if (instant == null) return undefined
  const at = new Date(Math.floor(instant.getTime() / 1000) * 1000)
  return { clock: toWallClock(at, timeZone), at }
}

/** In another zone the wall clock stays, and is another moment. */
function kept(before: Before | undefined, edge: 'start' | 'end', timeZone: string): Moment | undefined {
  if (!before) return undefined
  const clock = dateWallClock(before[`${edge}sLocal`])
  return before.timeZone === timeZone ? { clock, at: before[`${edge}sAt`] } : momentOf(clock, timeZone)
}

/** From the start of the first day to the end of the last; a day that runs past midnight is the one it began on. */
function wholeDays(start: Moment, end: Moment, timeZone: string, cutoff: string): [Moment, Moment] {
  const [first, last] = [startOfDay(dayOf(start.clock, cutoff), cutoff), endOfDay(dayOf(end.clock, cutoff), cutoff)]
  // They name days: where clocks skip the edge of one, the wall clock stays as it is.
  return [momentOf(first, timeZone), momentOf(last, timeZone)]
}

function dayOf(wallClock: string, cutoff: string): string {
  const isOnDayBefore = wallClock.slice(11, 16) < cutoff
  return (isOnDayBefore ? addDays(wallClock, -1) : wallClock).slice(0, 10)
}
