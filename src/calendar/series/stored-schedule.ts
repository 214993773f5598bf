// The schedule of a series as it is stored: local times in the time zone of the series.
import type { Prisma } from '../../generated/prisma/client.ts'
import { type SeriesScheduleInput, withSeconds } from './schedule.ts'

export interface StoredSchedule {
  readonly recurrences: SeriesScheduleInput['recurrences']
  readonly extraDates: readonly { readonly startsLocal: string; readonly endsLocal?: string | null | undefined }[]
  /** Days, or local times of days with several dates. */
  readonly excludedDates: readonly string[]
}

export type SeriesRow = Prisma.SeriesGetPayload<object>

/** A date of a series. */
export type DateRow = Prisma.EventGetPayload<object> & { readonly seriesId: number; readonly originalStartsLocal: Date }

/** What is special about a date of a series, by language. */
export interface DateTexts {
  readonly [language: string]: { readonly label?: string; readonly note?: string }
}

/** Returns the stored form of a schedule, without duplicates, in the order of time. */
export const toStoredSchedule = ({ recurrences, extraDates, excludedDates }: SeriesScheduleInput) => ({
  recurrences: recurrences.map(({ startsLocal, endsLocal, rule }) => ({ startsLocal, endsLocal, rule })),
  extraDates: (extraDates ?? [])
    .map(({ startsLocal, endsLocal }) => ({ startsLocal, ...(endsLocal && { endsLocal }) }))
    .sort((a, b) => (a.startsLocal < b.startsLocal ? -1 : 1)),
  excludedDates: [...new Set(excludedDates?.map(withSeconds))].sort(),
})

export const toScheduleInput = ({
  schedule,
  timeZone,
  allDay,
}: Pick<SeriesRow, 'schedule' | 'timeZone' | 'allDay'>): SeriesScheduleInput & StoredSchedule => ({
  ...(schedule as unknown as StoredSchedule),
  timeZone,
  allDay,
})
