// Local times are calculated as if they were UTC, so that no time zone changes them.

const toDate = (local: string): Date => new Date(`${local}Z`)
const toLocal = (date: Date): string => date.toISOString().slice(0, 19)

/** The local time, later by the difference of two dates. */
export const shift = (local: string, from: Date, to: Date): string =>
  toLocal(new Date(toDate(local).getTime() + to.getTime() - from.getTime()))

/** The midnight after the last day of an event of whole days, which ends a second before. */
export const endOfDays = (local: string): string => toLocal(new Date(Math.ceil(toDate(local).getTime() / day) * day))
const day = 86_400_000

/** The day of a date, such as 2027-01-12. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
