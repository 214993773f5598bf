// Writes the events that are the dates of a series.
import { badInputError } from '../../basics/errors.ts'
import { dateToWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { reserveUniqueSlugs } from '../text/slug.ts'
import type { DateTimes, SeriesDate } from './expand-schedule.ts'

const { sql, raw } = Prisma

/** Columns that all dates of a series have in common. */
export const commonColumns = [
  ...['author_id', 'status', 'trashed_from', 'published_at', 'modified_at', 'original_language', 'password_key'],
  'review_message',
  ...['image_id', 'parent_id', 'cost', 'lowest_ticket', 'website', 'show_map', 'show_map_link', 'sticky', 'featured'],
  'custom_fields',
]
/** Columns whose values dates have from the series, unless they were changed for a date. */
export const dateColumns = ['eventStatus', 'attendanceMode', 'onlineUrl', 'hideFromListings'] as const

/** Runs `work`, whose changes of dates are logged as one change of the series. */
export async function asSeries<Result>(tx: Tx, seriesId: number, work: () => Promise<Result>): Promise<Result> {
  await tx.$executeRaw`SELECT set_config('calendar.series', ${`${seriesId}`}, true)`
  const result = await work()
  await tx.$executeRaw`SELECT set_config('calendar.series', '', true)`
  return result
}

const toRow = ({ startsLocal, endsLocal, startsAt, endsAt }: DateTimes) => ({
  starts_local: dateToWallClock(startsLocal),
  ends_local: dateToWallClock(endsLocal),
  starts_at: startsAt,
  ends_at: endsAt,
})

const timeTypes = raw('starts_local timestamp, ends_local timestamp, starts_at timestamptz, ends_at timestamptz')

/** Maximum of dates that one write adds to a series; the others are added in the background. */
export const maxDatesOfWrite = 1000

/** Counts dates that a mutation writes. Throws badInputError if those before it in the request have written too many. */
export function countDates({ writes }: Pick<Context, 'writes'>, dates: number, field: 'id' | 'schedule'): void {
  const write = writes.current()
  const before = writes.all.reduce((sum, other) => sum + (other === write ? 0 : other.dates), 0)
  if (before >= maxDatesOfWrite) {
    throw badInputError({
      [field]: `The mutations before this one in the request write ${before} dates of series; after ${maxDatesOfWrite}, a request cannot write more. Send this mutation in another request.`,
    })
  }
  write.dates += dates
}

/** A date to add, with the ID of an event that it replaces. */
type NewDate = SeriesDate & { readonly id?: number | undefined }

/** Deletes events that dates of a new series replace, with their IDs. `ids`: by local start or day. */
export async function replaceEvents(
  tx: Tx,
  dates: readonly SeriesDate[],
  ids: ReadonlyMap<string, number> = new Map(),
) {
  const taken = new Set<number>()
  const replacing = dates.map((date): NewDate => {
    const local = dateToWallClock(date.startsLocal)
    const id = ids.get(local) ?? ids.get(local.slice(0, 'YYYY-MM-DD'.length))
    if (id === undefined || taken.has(id)) return date
    taken.add(id)
    return { ...date, id }
  })
  if (taken.size > 0) await tx.event.deleteMany({ where: { id: { in: [...taken] } } })
  return replacing
}

/** Adds dates to a series that it does not have, with the content of an event of the series. */
export async function insertDates(tx: Tx, seriesId: number, templateId: number, dates: readonly NewDate[]) {
  if (dates.length === 0) return
  const rows = JSON.stringify(dates.map((date) => ({ ...toRow(date), is_extra: date.isExtra, id: date.id })))
  const common = (alias: string) => raw(commonColumns.map((column) => `${alias}${column}`).join(', '))
  await tx.$executeRaw`
    INSERT INTO event (id, sequence, ${common('')}, content_id, series_id, original_starts_local, starts_local, ends_local, starts_at, ends_at,
      is_extra, time_zone, all_day, event_status, attendance_mode, online_url, hide_from_listings)
    SELECT coalesce(d.id, nextval('post_id_seq')), s.sequence, ${common('template.')}, s.id, s.id, d.starts_local, d.starts_local, d.ends_local, d.starts_at, d.ends_at,
      d.is_extra, s.time_zone, s.all_day, s.event_status, s.attendance_mode, s.online_url, s.hide_from_listings
    FROM series s JOIN event template ON template.id = ${templateId}::int,
      jsonb_to_recordset(${rows}::jsonb) AS d (${timeTypes}, is_extra boolean, id int)
    WHERE s.id = ${seriesId}::int
      AND NOT EXISTS (SELECT FROM event e WHERE e.series_id = s.id AND e.original_starts_local = d.starts_local)`
}

/** Gives dates their times, and the place in the schedule that they have now. */
export async function moveDates(
  tx: Tx,
  series: { readonly id: number; readonly timeZone: string; readonly allDay: boolean },
  moved: readonly { readonly id: number; readonly date: SeriesDate; readonly times: DateTimes }[],
) {
  if (moved.length === 0) return
  const rows = JSON.stringify(
    moved.map(({ id, date: { startsLocal, isExtra }, times }) => ({
      ...{ id, original: dateToWallClock(startsLocal), is_extra: isExtra },
      ...toRow(times),
    })),
  )
  await tx.$executeRaw`
    UPDATE event e SET original_starts_local = d.original, is_extra = d.is_extra, starts_local = d.starts_local,
      ends_local = d.ends_local, starts_at = d.starts_at, ends_at = d.ends_at, time_zone = ${series.timeZone}, all_day = ${series.allDay}
    FROM jsonb_to_recordset(${rows}::jsonb) AS d (id int, original timestamp, is_extra boolean, ${timeTypes})
    WHERE e.id = d.id AND (e.original_starts_local, e.is_extra, e.starts_local, e.ends_local, e.starts_at, e.ends_at, e.time_zone, e.all_day)
      IS DISTINCT FROM (d.original, d.is_extra, d.starts_local, d.ends_local, d.starts_at, d.ends_at, ${series.timeZone}, ${series.allDay})`
}

/** Numbers the dates of each day, for their URLs. */
export const numberDates = (tx: Tx, seriesId: number) => tx.$executeRaw`
  UPDATE event e SET day_number = numbered.number
  FROM (
    SELECT id, row_number() OVER (PARTITION BY starts_local::date ORDER BY starts_local, id) AS number
    FROM event WHERE series_id = ${seriesId}::int
  ) AS numbered
  WHERE numbered.id = e.id AND e.day_number <> numbered.number`

const links: Readonly<Record<string, string>> = {
  venue: 'venue_id, position',
  organizer: 'organizer_id, position',
  category: 'category_id',
  tag: 'tag_id',
  ticket: 'position, name, price, currency, capacity, sales_start, sales_end',
}

const textColumns = raw(
  'language, name, description, excerpt, slug, written, source, description_source, excerpt_source, folded, stems, revised_at, in_review',
)

/** Makes a date of a series an event of its own, with a copy of the content and the same ID. */
export async function detachDate(tx: Tx, { id, seriesId }: { readonly id: number; readonly seriesId: number }) {
  await tx.$executeRaw`INSERT INTO content VALUES (${id}::int) ON CONFLICT DO NOTHING`
  const [event] = await tx.$queryRaw<{ isTrashed: boolean }[]>`
    UPDATE event SET content_id = id, series_id = NULL, former_series_id = series_id, is_extra = false, day_number = 1,
      changed_fields = '{}' WHERE id = ${id}::int RETURNING status = 'trash' AS "isTrashed"`
  await copyContent(tx, seriesId, id, event?.isTrashed === true)
}

/** Creates a content without texts, for a series. Returns its ID. */
export async function createContent(tx: Tx): Promise<number> {
  const [row] = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO content SELECT nextval('post_id_seq')::int RETURNING id`
  return row?.id ?? 0
}

/** Copies a content to another one that is empty. Its slugs get a suffix; in the trash it has none. */
export async function copyContent(tx: Tx, from: number, id: number, isTrashed: boolean): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO content_text (content_id, ${textColumns})
    SELECT ${id}::int, ${textColumns} FROM content_text WHERE content_id = ${from}::int`
  for (const [part, names] of Object.entries(links)) {
    const [table, columns] = [raw(`content_${part}`), raw(names)]
    await tx.$executeRaw`
      INSERT INTO ${table} (content_id, ${columns}) SELECT ${id}::int, ${columns} FROM ${table} WHERE content_id = ${from}::int`
  }
  if (isTrashed) return
  const texts = await tx.contentText.findMany({
    where: { contentId: id, slug: { not: '' }, written: { has: 'slug' } },
    select: { language: true, slug: true },
  })
  const slugs = await reserveUniqueSlugs(
    tx,
    'event',
    texts.map(({ slug }) => ({ id, slug })),
  )
  for (const [index, { slug }] of texts.entries()) {
    await tx.$executeRaw`
      UPDATE content_text SET slug = ${slugs[index]} WHERE content_id = ${id}::int AND slug = ${slug}`
  }
}

/** Returns an event of the series that differs from it in nothing, if there is one. */
export const findTemplate = async (tx: Tx, seriesId: number) => {
  const [row] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM event WHERE series_id = ${seriesId}::int
    ORDER BY cardinality(changed_fields), starts_at, id LIMIT 1`
  return row && tx.event.findUniqueOrThrow({ where: { id: row.id } })
}

/** Locks a series until the transaction ends, and returns it. Whatever writes a date locks its series first. */
export async function lockSeries(tx: Tx, id: number) {
  await tx.$executeRaw(sql`SELECT FROM series WHERE id = ${id}::int FOR UPDATE`)
  return tx.series.findUnique({ where: { id } })
}
