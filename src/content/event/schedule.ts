// When an event takes place: wall clocks in its zone, and the instants they are.
import { badInput } from '../../errors.ts'
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

type Before = Pick<Schedule, 'startsLocal' | 'endsLocal' | 'timeZone' | 'allDay'>

/** The schedule after a change; of a new event there is nothing before. Throws badInput when it can't be. */
export function schedule(wish: ScheduleWish, before: Before | undefined, calendar: Calendar): Schedule {
  const timeZone = wish.timeZone || before?.timeZone || calendar.siteTimeZone
  if (!isZone(timeZone)) throw badInput({ timeZone: 'timeZone is an IANA name such as Europe/Paris, or UTC+5:30.' })
  const start = given(wish.startsLocal, wish.startsAt, timeZone) ?? (before && dateWallClock(before.startsLocal))
  const end = given(wish.endsLocal, wish.endsAt, timeZone) ?? (before && dateWallClock(before.endsLocal))
  if (start === undefined || end === undefined) throw badInput({ startsLocal: 'Give a start and an end.' })
  const allDay = wish.allDay ?? before?.allDay ?? false
  const [first, last] = allDay ? wholeDays(start, end, calendar.endOfDayCutoff) : [start, end]
  if (last < first) throw badInput({ endsLocal: 'The end is not before the start.' })
  const [startsAt, endsAt] = [toInstant(first, timeZone), toInstant(last, timeZone)]
  return { startsLocal: wallClockDate(first), endsLocal: wallClockDate(last), startsAt, endsAt, timeZone, allDay }
}

const given = (local: string | null | undefined, instant: Date | null | undefined, timeZone: string) =>
  local ?? (instant ? toWallClock(instant, timeZone) : undefined)

/** From the start of the first day to the end of the last; a day that runs past midnight is the one it began on. */
function wholeDays(start: string, end: string, cutoff: string): [string, string] {
  return [startOfDay(dayOf(start, cutoff), cutoff), endOfDay(dayOf(end, cutoff), cutoff)]
}

function dayOf(wallClock: string, cutoff: string): string {
  const isOnDayBefore = wallClock.slice(11, 16) < cutoff
  return (isOnDayBefore ? addDays(wallClock, -1) : wallClock).slice(0, 10)
}
