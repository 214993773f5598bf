// The sample of a new database: events of a fictional town, on days before and after the day of loading.
import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Settings } from '../../basics/env.ts'
import { addDays, toWallClock, wallClockToDate } from '../../basics/time.ts'
import { saveImage } from '../../calendar/image/storage/files.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { recordVersionSql } from '../import-site/ledger.ts'
import { loadSampleRecords, sampleKinds } from './load.ts'
import type { SampleEventDetails, SamplePicture, SampleRecords } from './records.ts'

/** The value of imported_record.site for sample records. */
export const sampleLedgerSite = 'sample'

type TownEvent = SampleEventDetails & {
  /** The number of days from today to the first day of the event. */
  readonly day: number
  /** Day of the week (0: Sunday) to which the first day is moved forward. */
  readonly weekday?: number
  /** The number of days from the first to the last day. */
  readonly lastDay?: number
  /** Times of day such as `18:00:00`; undefined for an all-day event. */
  readonly start?: string
  readonly end?: string
  /** The number of weeks in which the event takes place, each time as a separate event. */
  readonly weeks?: number
}

const timeZone = 'Atlantic/Canary'
const folder = join(import.meta.dirname, '../../../prisma/seed')
const pictureFiles = join(folder, 'pictures')

const read = <Content>(path: string): Content => JSON.parse(readFileSync(join(folder, path), 'utf8'))

export const readSamplePictures = (): Readonly<Record<string, SamplePicture>> => read('pictures/pictures.json')

/** The events of the sample. Their days are relative to today in the time zone of the site. */
export function readSampleEvents(now: Date, siteTimeZone: string): SampleRecords['events'] {
  const today = `${toWallClock(now, siteTimeZone).slice(0, 10)}T00:00:00`
  return read<TownEvent[]>('sample/events.json').flatMap((event) => onDays(event, today))
}

export async function loadSample(
  tx: Tx,
  site: Pick<Settings, 'languages' | 'defaultLanguage' | 'siteTimeZone'>,
  now: Date,
): Promise<void> {
  const records = {
    images: Object.entries(readSamplePictures()).map(([key, picture]) => ({ key, ...picture })),
    venues: read<SampleRecords['venues']>('sample/venues.json'),
    organizers: read<SampleRecords['organizers']>('sample/organizers.json'),
    categories: read<SampleRecords['categories']>('sample/categories.json'),
    tags: read<SampleRecords['tags']>('sample/tags.json'),
    events: readSampleEvents(now, site.siteTimeZone),
  }
  const ids = await loadSampleRecords(tx, site, records, now)
  // The ledger stores the versions, so that `sample remove` recognizes records that were changed.
  for (const kind of sampleKinds) {
    await tx.$executeRaw`
      INSERT INTO imported_record (site, kind, source_id, record_id, record_version, digest, is_complete)
      SELECT ${sampleLedgerSite}, ${kind}, s.id, s.id, ${recordVersionSql(kind, Prisma.sql`s.id`)}, '', true
      FROM unnest(${ids[kind]}::int[]) s (id)`
  }
}

/** Copies the image files of the sample into IMAGES_DIR. */
export async function storeSamplePictures(imagesDir: string): Promise<void> {
  for await (const path of glob('*/*/*', { cwd: pictureFiles })) {
    await saveImage(imagesDir, await readFile(join(pictureFiles, path)), extname(path).slice(1))
  }
}

function onDays({ day, weekday, lastDay = 0, start, end, weeks = 1, ...event }: TownEvent, today: string) {
  const earliest = addDays(today, day)
  const first = weekday === undefined ? earliest : addDays(earliest, (weekday - dayOfWeek(earliest) + 7) % 7)
  return Array.from({ length: weeks }, (_, week) => {
    const date = addDays(first, week * 7)
    return {
      ...event,
      timeZone,
      allDay: start === undefined,
      startsLocal: at(date, start ?? '00:00:00'),
      endsLocal: at(addDays(date, lastDay), end ?? '23:59:59'),
    }
  })
}

const at = (date: string, time: string) => `${date.slice(0, 10)}T${time}`

const dayOfWeek = (wallClock: string) => wallClockToDate(wallClock).getUTCDay()
