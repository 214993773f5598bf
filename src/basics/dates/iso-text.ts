/** ISO 8601 dates and times as iCalendar files contain them: basic or extended format, with fractions, `T` and `Z` in any case. */
const form =
  /^(\d{4})-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?:[T ](?:(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?)?)?\s?(?:(Z)|([+-])(\d\d):?(\d\d)?)?$/i

/**
 * Returns the date or time as `2026-12-04`, `2026-12-04T19:00:00` or `2026-12-04T18:00:00Z`; undefined for other text. Times with
 * an offset become UTC. Does not check whether the day and the time exist.
 */
export function normalizeIso(text: string): string | undefined {
  const match = form.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute = '00', second = '00', z, sign, hours, minutes = '00'] = match
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  const local = `${date}T${hour}:${minute}:${second}`
  if (z) return `${local}Z`
  if (sign === undefined) return local
  const time = Date.parse(`${local}${sign}${hours}:${minutes}`)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace('.000Z', 'Z')
}
