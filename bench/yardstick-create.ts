// Minimal code that creates an event: writes the same rows as the service with prepared statements in one transaction. It
// relies on foreign keys to check references, and does not read the event back.
import type pg from 'pg'
import { toInstant } from '../src/basics/time.ts'
import { foldText } from '../src/calendar/text/fold.ts'
import { slugify } from '../src/calendar/text/slug.ts'
import { textSearchConfigName, toSearchedText, toServedTextRows } from '../src/calendar/text/text-rows.ts'
import { language } from './queries.ts'
import { site } from './write-texts.ts'

export interface EventBody {
  readonly title: string
  readonly description: string
  readonly excerpt: string
  readonly start_date: string
  readonly end_date: string
  readonly timezone: string
  readonly cost: string
  readonly website: string
  readonly venue: readonly { readonly id: number }[]
  readonly organizer: readonly { readonly id: number }[]
  readonly categories: readonly number[]
  readonly tags: readonly number[]
}

const insertEvent = `
  INSERT INTO event (author_id, status, published_at, modified_at, original_language, starts_at, ends_at, starts_local,
    ends_local, time_zone, cost, website)
  VALUES ($1, 'publish', $2, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`

const insertOrderedLinks = (kind: 'venue' | 'organizer') => `
  INSERT INTO content_${kind} (content_id, ${kind}_id, position)
  SELECT $1, id, place - 1 FROM unnest($2::int[]) WITH ORDINALITY AS given (id, place)`

const insertTerms = (kind: 'category' | 'tag') =>
  `INSERT INTO content_${kind} (content_id, ${kind}_id) SELECT $1, unnest($2::int[])`

const insertTexts = `
  INSERT INTO content_text (content_id, language, name, description, excerpt, slug, written, source, folded, stems)
  SELECT id, language, name, description, excerpt, slug, written, source, folded, setweight(to_tsvector(stemmer, title), 'A')
    || setweight(to_tsvector(stemmer, short), 'B') || setweight(to_tsvector(stemmer, long), 'C')
  FROM jsonb_to_recordset($1::jsonb) AS row (id int, language text, name text, description text, excerpt text, slug text,
      written text[], source text, folded text, config text, title text, short text, long text),
    LATERAL (SELECT coalesce((SELECT oid FROM pg_ts_config WHERE cfgname = config), 'simple'::regconfig)::regconfig
      AS stemmer) AS language_stemmer`

export async function yardstickCreate(pool: pg.Pool, author: number, body: EventBody, now: Date): Promise<number> {
  const client = await pool.connect()
  const send = async <Row extends object>(text: string, values: unknown[]) =>
    (await client.query<Row>({ name: nameOf(text), text, values })).rows
  const ids = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id)
  try {
    await client.query('BEGIN')
    const { timezone: zone, start_date: start, end_date: end } = body
    const instants = [start, end].map((clock) => toInstant(clock.replace(' ', 'T'), zone))
    const row = [author, now, language, ...instants, start, end, zone, [body.cost], body.website]
    const [{ id } = { id: 0 }] = await send<{ id: number }>(insertEvent, row)
    await send(insertOrderedLinks('venue'), [id, ids(body.venue)])
    await send(insertOrderedLinks('organizer'), [id, ids(body.organizer)])
    await send(insertTerms('category'), [id, body.categories])
    await send(insertTerms('tag'), [id, body.tags])
    const slug = slugify(body.title)
    await send('INSERT INTO content_slug (slug, content_id) VALUES ($1, $2)', [slug, id])
    await send(insertTexts, [JSON.stringify(textRows(id, slug, body))])
    await client.query('COMMIT')
    return id
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

function textRows(id: number, slug: string, { title: name, description, excerpt }: EventBody) {
  const own = new Map([[language, { name, description, excerpt, slug }]])
  return toServedTextRows({ id, original: language, own }, site).map((text) => ({
    ...text,
    folded: toSearchedText('event', text),
    config: textSearchConfigName(text.language),
    title: foldText(text.name),
    short: foldText(text.excerpt),
    long: foldText(text.description),
  }))
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `yardstick-create-${names.size}`
  names.set(text, name)
  return name
}
