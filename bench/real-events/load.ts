// Loads 401 real events, which tests and benchmarks use: SOURCES.md says where they are from.
import { readFileSync } from 'node:fs'
import { addDays, dayMs, toWallClock, wallClockToDate } from '../../src/basics/time.ts'
import type { SiteLanguages } from '../../src/calendar/text/text-rows.ts'
import type { Tx } from '../../src/engine/postgres/client.ts'
import { loadSampleRecords } from '../../src/tools/sample/load.ts'
import type { ReferencedRecord, SampleEventDetails, SampleRecords } from '../../src/tools/sample/records.ts'
import { readSamplePictures } from '../../src/tools/sample/town.ts'

type RealEvent = SampleEventDetails & {
  /** Week of the start, counted from the week when the events are loaded. */
  readonly week: number
  readonly start: string
  readonly end: string
  readonly timeZone: string
}

interface RealEvents extends Omit<SampleRecords, 'images' | 'events'> {
  /** The images of the sources. Pictures of this project replace them. */
  readonly images: readonly ReferencedRecord[]
  readonly events: readonly RealEvent[]
}

/** `every`: loads only each such event, such as every third, and the records that it uses. */
export async function loadRealEvents(tx: Tx, site: SiteLanguages, now: Date, every = 1): Promise<void> {
  const all: RealEvents = JSON.parse(readFileSync(new URL('events.json', import.meta.url), 'utf8'))
  const { images, events, ...others } = every === 1 ? all : pickEvery(all, every)
  const pictures = Object.values(readSamplePictures())
  const sample = {
    ...others,
    images: images.flatMap(({ key }, index) => {
      const picture = pictures[index % pictures.length]
      return picture ? [{ key, ...picture }] : []
    }),
    events: events.map(({ week, start, end, ...event }) => ({
      ...event,
      ...moved({ week, start, end, timeZone: event.timeZone }, now),
    })),
  }
  await loadSampleRecords(tx, site, sample, now)
}

function pickEvery({ venues, organizers, tags, events, ...others }: RealEvents, every: number): RealEvents {
  const picked = events.filter((_, index) => index % every === 0)
  const keys = new Set(
    picked.flatMap((event) => [...(event.venues ?? []), ...(event.organizers ?? []), ...(event.tags ?? [])]),
  )
  const used = <Linked extends ReferencedRecord>(records: readonly Linked[]) =>
    records.filter(({ key }) => keys.has(key))
  return { ...others, venues: used(venues), organizers: used(organizers), tags: used(tags), events: picked }
}

/** Moves an event by whole weeks, so that weekday and wall clock stay and its start falls into its week. */
function moved({ start, end, timeZone, week }: Pick<RealEvent, 'start' | 'end' | 'timeZone' | 'week'>, now: Date) {
  const target = addDays(monday(toWallClock(now, timeZone)), week * 7)
  const days = Math.round((wallClockToDate(target).getTime() - wallClockToDate(monday(start)).getTime()) / dayMs)
  return { startsLocal: addDays(start, days), endsLocal: addDays(end, days) }
}

function monday(wallClock: string): string {
  const day = `${wallClock.slice(0, 10)}T00:00:00`
  return addDays(day, -((wallClockToDate(day).getUTCDay() + 6) % 7))
}
