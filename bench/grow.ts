// Fills an empty database with the synthetic events of a site: node bench/grow.ts <DATABASE_URL> <count>

import { dateToWallClock } from '../src/basics/time.ts'
import { copyContent, createContent, numberDates } from '../src/calendar/series/dates.ts'
import { textRulesVersion } from '../src/calendar/text/text-rows.ts'
import type { Db } from '../src/engine/postgres/client.ts'
import { dropIndexes } from './copy-rows.ts'
import { prepareDatabase } from './database.ts'
import { generate } from './generate.ts'
import { site } from './write-texts.ts'

export interface GrowOptions {
  readonly now: Date
  /** Number of events in the default window of lists, 60 % by default. The others are past. */
  readonly inWindow?: number
  /** Whether to leave the tables as before the first autovacuum, which it turns off: with the statistics of 500 events. */
  readonly isFresh?: boolean
}

/** Creates `count` events, a tenth as many venues and a twentieth as many organizers and tags. */
export async function grow(db: Db, count: number, { isFresh, ...options }: GrowOptions): Promise<void> {
  if (isFresh) await setAutovacuum(db, 'SET (autovacuum_enabled = off)')
  const rebuild = await dropIndexes(db, `indexdef LIKE '%USING gin%' AND indexname ~ '^(content|venue|organizer)_'`)
  await generate(db, count, { ...options, ...(isFresh ? { analyzedAt: Math.min(500, count) } : {}) })
  await prepareSiteRow(db)
  await vary(db)
  await makeSeries(db)
  for (const index of rebuild) await db.$executeRawUnsafe(index)
  if (!isFresh) await db.$executeRaw`VACUUM ANALYZE`
}

/**
 * Autovacuum would slow down the first requests that are measured with freshly loaded tables, and analyze some tables before
 * others, so that measured plans would depend on its time.
 */
export async function setAutovacuum(db: Db, change: string): Promise<void> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()`
  for (const { name } of tables) await db.$executeRawUnsafe(`ALTER TABLE "${name}" ${change}`)
}

/** Without this row the service would rebuild all texts at its first start. */
const prepareSiteRow = (db: Db) => db.$executeRaw`
  INSERT INTO site (password_salt, languages, default_language, text_rules)
  VALUES ('salt', ${[...site.languages]}::text[], ${site.defaultLanguage}, ${textRulesVersion}) ON CONFLICT DO NOTHING`

/** Adds records that lists treat differently: statuses, passwords, hidden and child events, tickets, titles of images, missing coordinates. */
async function vary(db: Db): Promise<void> {
  await db.$executeRaw`
    UPDATE event SET
      status = (CASE nr % 50 WHEN 1 THEN 'draft' WHEN 2 THEN 'private' WHEN 3 THEN 'pending' WHEN 4 THEN 'trash'
        ELSE 'publish' END)::status,
      hide_from_listings = nr % 50 = 5,
      password_key = CASE nr % 50 WHEN 6 THEN 'locked' END,
      parent_id = CASE nr % 25 WHEN 7 THEN first END
    FROM (
      SELECT id, min(id) OVER (PARTITION BY number / 500) AS first, number % 50 AS nr
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS number FROM event) AS counted
    ) AS numbered
    WHERE numbered.id = event.id AND (nr BETWEEN 1 AND 6 OR nr % 25 = 7)`
  await db.$executeRaw`
    INSERT INTO content_ticket (content_id, position, name, price, currency)
    SELECT id, 0, 'Full price', 12, 'EUR' FROM event WHERE id % 20 = 0`
  await db.$executeRaw`
    INSERT INTO image_text (image_id, language, title, alt_text, written)
    SELECT image_id, language, name, excerpt, CASE WHEN written = '{}' THEN '{}'::text[] ELSE '{title,altText}' END
    FROM event JOIN event_text ON event_id = id WHERE image_id IS NOT NULL`
  await db.$executeRaw`
    UPDATE image SET original_language = event.original_language, slug = left(event_text.slug, 100)
    FROM event JOIN event_text ON event_id = id AND language = original_language WHERE image_id = image.id`
  await db.$executeRaw`UPDATE venue SET latitude = NULL, longitude = NULL WHERE id % 12 = 0`
  await db.$executeRaw`UPDATE venue SET status = 'draft' WHERE id % 25 = 20`
}

/** Makes a series of the first twelve of each thousand events that visitors see, with the content of the first one. */
async function makeSeries(db: Db): Promise<void> {
  const groups = await db.$queryRaw<{ ids: number[] }[]>`
    SELECT array_agg(id ORDER BY id) AS ids FROM (
      SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM event
      WHERE live AND NOT hide_from_listings AND password_key IS NULL AND parent_id IS NULL
    ) AS numbered WHERE number % 1000 < 12 GROUP BY number / 1000`
  for (const { ids } of groups) {
    const found = await db.event.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })
    const [first] = found
    const dates = found.filter(
      ({ startsLocal, timeZone, allDay }, index) =>
        timeZone === first?.timeZone &&
        allDay === first.allDay &&
        found.findIndex((other) => other.startsLocal.getTime() === startsLocal.getTime()) === index,
    )
    if (!first || dates.length < 2) continue
    const extraDates = dates.map(({ startsLocal, endsLocal }) => ({
      ...{ startsLocal: dateToWallClock(startsLocal), endsLocal: dateToWallClock(endsLocal) },
    }))
    const { timeZone, allDay, modifiedAt } = first
    const schedule = { recurrences: [], extraDates, excludedDates: [] }
    await db.$transaction(async (tx) => {
      const id = await createContent(tx)
      await tx.series.create({ data: { id, timeZone, allDay, schedule, isEndless: false, modifiedAt } })
      await copyContent(tx, first.contentId, id, false)
      const own = dates.map((date) => date.id)
      await tx.$executeRaw`
        UPDATE event SET content_id = ${id}::int, series_id = ${id}::int, original_starts_local = starts_local, is_extra = true
        WHERE id = ANY (${own})`
      await tx.content.deleteMany({ where: { id: { in: own } } })
      await numberDates(tx, id)
    })
  }
}

async function main([url, number]: readonly string[]): Promise<void> {
  const count = /^[1-9]\d{0,8}$/.test(number ?? '') ? Number(number) : 0
  if (!url || !count) throw new Error('Usage: node bench/grow.ts <DATABASE_URL> <count>')
  const { seconds } = await prepareDatabase(url, count, (db) => grow(db, count, { now: new Date() }))
  console.log(
    `${count} events, ${seconds === undefined ? 'already present' : `${Math.round(count / seconds)} per second`}`,
  )
}

if (process.argv[1] === import.meta.filename) {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
