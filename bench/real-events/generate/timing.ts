import type { When } from './draft.ts'
import { str } from './raw.ts'

export const dayAfter = (time: string, count: number): string =>
  new Date(Date.parse(time.slice(0, 10)) + count * 864e5).toISOString().slice(0, 10)

const wall = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(new Date(instant))
    .replace(' ', 'T')

export const wholeDays = (start: string, end: string, timeZone: string): When => {
  const midnight = end.endsWith('T00:00:00')
  const [day, last] = [dayAfter(start, 0), dayAfter(end, midnight ? -1 : 0)]
  const whole = start.slice(11) <= '00:30:00' && last >= day && (midnight || end.slice(11) >= '23:30:00')
  if (!whole) return { start, end, timeZone }
  return { start: `${day}T00:00:00`, end: `${last}T23:59:59`, timeZone, allDay: true }
}

// The first timing and those that follow it without a gap. A festival of two to four days is one event.
export const oneTiming = (slots: unknown[], zone: string, festival: boolean): When => {
  const begins = slots.map((slot) => wall(str(slot, 'begin') || str(slot, 'start'), zone))
  const ends = slots.map((slot) => wall(str(slot, 'end'), zone))
  let [[start = ''], [end = '']] = [begins, ends]
  const day = dayAfter(start, 0)
  for (const [index, to] of ends.entries()) if (begins[index] === end && to.startsWith(day)) end = to
  const last = ends.at(-1) ?? ''
  return wholeDays(start, festival && last > end && last < dayAfter(day, 4) ? last : end, zone)
}
