// The start and end of an event, which a row may have in several columns.
import type { Settings } from '../../basics/env.ts'
import { addDays, dateWallClock, endOfDay, isZone, startOfDay, wallClockDate } from '../../basics/time.ts'
import type { SheetEventFragment } from '../../generated/graphql/graphql.ts'
import { CellError, parseBoolean, short } from './cells.ts'
import { type DateReader, parseDuration, parseTime } from './dates.ts'
import { scheduleParts } from './event-columns.ts'
import { addProblem, type Problem, type SheetRow } from './rows.ts'

/** Whether the problem is about the start or the end of an event. */
export const isAboutSchedule = ({ column = '' }: Problem): boolean =>
  scheduleParts.has(column) || column === 'start' || column === 'end'

interface ScheduleSettings extends Pick<Settings, 'siteTimeZone' | 'endOfDayCutoff'> {
  readonly readDate: DateReader
}

/** Replaces the start and end of the row by local times, computed from separate dates and times if it has them. */
export function completeSchedule(
  row: SheetRow,
  stored: Pick<SheetEventFragment, 'timeZone' | 'allDay'> | undefined,
  { siteTimeZone, endOfDayCutoff, readDate }: ScheduleSettings,
): void {
  const { cells, problems } = row
  const text = (column: string) => cells.get(column)?.trim() || undefined
  const attempt = <Result>(column: string, work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      return void addProblem(row, column, error)
    }
  }
  const written = cells.has('time_zone') ? text('time_zone') : stored?.timeZone
  const zone = written !== undefined && isZone(written) ? written : siteTimeZone
  const allDayCell = cells.get('all_day')
  const allDay =
    allDayCell === undefined ? stored?.allDay === true : attempt('all_day', () => parseBoolean(allDayCell)) === true
  const edge = (name: 'start' | 'end', fallbackDate?: string): string | undefined => {
    const [dateTime, date, time] = [text(name), text(`${name}_date`), text(`${name}_time`)]
    return attempt(dateTime === undefined && date !== undefined ? `${name}_date` : name, () => {
      const cell = dateTime ?? date ?? (time === undefined ? undefined : fallbackDate)
      if (cell === undefined) return undefined
      const read = cell === fallbackDate ? { date: cell, time: undefined } : readDate(cell, zone)
      const timeOfDay =
        dateTime === undefined && time !== undefined ? attempt(`${name}_time`, () => parseTime(time)) : undefined
      const clock = timeOfDay ?? read.time
      if (clock !== undefined) return `${read.date}T${clock}`
      if (allDay) return name === 'start' ? startOfDay(read.date, endOfDayCutoff) : endOfDay(read.date, endOfDayCutoff)
      if (time !== undefined) return undefined
      throw new CellError(`"${short(cell)}" has no time. Write 2027-01-31T18:00, or set all_day to true.`)
    })
  }
  const hadProblems = problems.length
  const start = edge('start')
  const end = edge('end', start?.slice(0, 10))
  const isFailed = problems.length > hadProblems
  const computed = end ?? attempt('duration', () => endAfter(start, text('duration')))
  const onlyDay = allDay && start !== undefined ? endOfDay(start.slice(0, 10), endOfDayCutoff) : undefined
  const last = computed ?? (stored === undefined ? onlyDay : undefined)
  // A time alone that is before the start is on the next day.
  const isTimeAlone = text('end') === undefined && text('end_date') === undefined && text('end_time') !== undefined
  const isNextDay = isTimeAlone && start !== undefined && last !== undefined && last < start
  if (start !== undefined) cells.set('start', start)
  if (last !== undefined) cells.set('end', isNextDay ? addDays(last, 1) : last)
  for (const column of [...(isFailed ? ['start', 'end'] : []), ...scheduleParts]) cells.delete(column)
}

function endAfter(start: string | undefined, duration: string | undefined): string | undefined {
  const minutes = duration === undefined ? undefined : parseDuration(duration)
  if (start === undefined || minutes === undefined) return undefined
  return dateWallClock(new Date(wallClockDate(start).getTime() + minutes * 60_000))
}
