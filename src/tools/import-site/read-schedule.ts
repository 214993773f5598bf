// Reads the dates of an event: local times, their time zone, and the instants (UTC) that the site computed from both.
import { z } from 'zod'
import { isZone, toInstant, toWallClock, wallClockToDate } from '../../basics/time.ts'
import { flagSchema, wallClockSchema } from './fields.ts'

const dates = z.object({
  start_date: wallClockSchema,
  end_date: wallClockSchema,
  utc_start_date: wallClockSchema,
  utc_end_date: wallClockSchema,
  timezone: z.string().trim().catch(''),
  all_day: flagSchema,
})

/** Returns start, end and time zone, with `notes` about corrected values. Undefined without a start. */
export function readSchedule(item: unknown, siteTimeZone: string) {
  const { start_date, end_date, utc_start_date, utc_end_date, timezone, all_day } = dates.parse(item)
  const notes: string[] = []
  const timeZone = chooseZone(timezone, start_date, utc_start_date, siteTimeZone)
  if (timeZone !== timezone) {
    const named = `Its time zone ${JSON.stringify(timezone.slice(0, 40))} is unknown`
    notes.push(`${timezone === '' ? 'The event has no time zone' : named}, so that ${timeZone} was taken.`)
  }
  const local = (wall: string | undefined, utc: string | undefined) =>
    wall ?? (utc === undefined ? undefined : toWallClock(new Date(`${utc}Z`), timeZone))
  const startsLocal = local(start_date, utc_start_date)
  if (startsLocal === undefined) return undefined
  let endsLocal = local(end_date, utc_end_date)
  if (endsLocal === undefined) notes.push('The event has no end: its end is its start.')
  const startsAt = consistentInstant(startsLocal, utc_start_date, timeZone)
  let endsAt = consistentInstant(endsLocal ?? startsLocal, utc_end_date, timeZone)
  if ((endsLocal ?? startsLocal) < startsLocal && !(startsAt && endsAt && endsAt >= startsAt)) {
    notes.push(`Its end ${endsLocal} is before its start, so that it ends at its start.`)
    endsLocal = undefined
    endsAt = startsAt
  }
  if (utc_start_date !== undefined && !startsAt) {
    const utc = toInstant(startsLocal, timeZone).toISOString().slice(0, 19)
    const difference = `Its utc_start_date is ${utc_start_date}, but ${startsLocal} in ${timeZone} is ${utc} UTC.`
    notes.push(`${difference} The wall clock was kept.`)
  }
  const times = { startsLocal, endsLocal: endsLocal ?? startsLocal }
  for (const [edge, wall] of all_day ? [] : Object.entries(times)) {
    const shown = toWallClock(toInstant(wall, timeZone), timeZone)
    const name = edge.replace('sLocal', '')
    if (shown !== wall) notes.push(`The ${name} ${wall} does not exist in ${timeZone}; it became ${shown}.`)
  }
  return { ...times, startsAt, endsAt, timeZone, notes }
}

/** Returns the instant of the site if it matches the local time in the zone. Undefined if both contradict each other. */
function consistentInstant(wall: string, utc: string | undefined, zone: string): Date | undefined {
  if (utc === undefined) return undefined
  const instant = new Date(`${utc}Z`)
  const isSame = toWallClock(instant, zone) === wall || toInstant(wall, zone).getTime() === instant.getTime()
  return isSame ? instant : undefined
}

/** Returns the zone of the event. If it is unknown: the zone of the site if it fits the instant, or else a UTC offset. */
function chooseZone(zone: string, wall: string | undefined, utc: string | undefined, siteTimeZone: string): string {
  if (zone !== '' && isZone(zone)) return zone
  if (wall === undefined || utc === undefined || consistentInstant(wall, utc, siteTimeZone)) return siteTimeZone
  const minutes = Math.round((wallClockToDate(wall).getTime() - wallClockToDate(utc).getTime()) / 60_000)
  const size = Math.abs(minutes)
  const rest = size % 60 ? `:${String(size % 60).padStart(2, '0')}` : ''
  const offset = `UTC${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${rest}`
  return isZone(offset) ? offset : siteTimeZone
}
