// The schedule of a stored series in words.
import type { Settings } from '../../basics/env.ts'
import { memoize } from '../../basics/memoize.ts'
import { expandSchedule } from './expand-schedule.ts'
import { describeSchedule } from './schedule-words.ts'
import { type SeriesRow, toScheduleInput } from './stored-schedule.ts'

type Scheduled = Pick<SeriesRow, 'schedule' | 'timeZone' | 'allDay'>

/** Only extra dates and the number of dates are told of the expansion, which do not depend on the present. */
const described = memoize(
  { name: 'scheduleWords', max: 1000 },
  (_key: string, series: Scheduled, language: string, settings: Settings) => {
    const schedule = toScheduleInput(series)
    return describeSchedule(expandSchedule(schedule, new Date(0), settings), schedule.excludedDates, language)
  },
)

export const describeSeries = (
  { schedule, timeZone, allDay }: Scheduled,
  language: string,
  settings: Settings,
): string =>
  described(JSON.stringify([schedule, timeZone, allDay, language]), { schedule, timeZone, allDay }, language, settings)
