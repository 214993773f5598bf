// The schedule of a stored series in words.
import type { Settings } from '../../basics/env.ts'
import { memoize, memoizeOnce } from '../../basics/memoize.ts'
import { expandSchedule } from './expand-schedule.ts'
import { parseSchedule } from './schedule.ts'
import { describeSchedule } from './schedule-words.ts'
import { type SeriesRow, toScheduleInput } from './stored-schedule.ts'

type Scheduled = Pick<SeriesRow, 'schedule' | 'timeZone' | 'allDay'>

const described = memoize(
  { name: 'scheduleWords', max: 1000 },
  (_key: string, series: Scheduled, language: string, settings: Settings) => {
    const schedule = toScheduleInput(series)
    // The number of dates does not depend on the present.
    const expand = memoizeOnce(() => expandSchedule(schedule, new Date(0), settings))
    return describeSchedule(parseSchedule(schedule, settings), language, expand)
  },
)

export const describeSeries = (
  { schedule, timeZone, allDay }: Scheduled,
  language: string,
  settings: Settings,
): string =>
  described(JSON.stringify([schedule, timeZone, allDay, language]), { schedule, timeZone, allDay }, language, settings)
