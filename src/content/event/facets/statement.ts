// One SQL statement that counts events by several facets.
import { Prisma } from '../../../generated/prisma/client.ts'
import type { Facet } from './criteria.ts'

const { sql, raw, join, empty } = Prisma

/** What to count of one facet. */
export interface FacetCount {
  /** In the result. */
  readonly key: string
  readonly facet: Facet
  /** Number of values. */
  readonly first: number
  /** IDs or cities to return even if no event has them. */
  readonly selected: readonly (number | string)[]
}

/** Facets that are counted over the same events. */
export interface FacetScan {
  /**
   * A SELECT of the events with the column `open`: whether their fields are not withheld. For prices, it has the columns
   * `free` and `paid`, too.
   */
  readonly events: Prisma.Sql
  readonly counts: readonly FacetCount[]
}

export interface FacetSources {
  /** SELECTs of the records that the caller may see. That of venues has the column `open`, too. */
  readonly venues: Prisma.Sql
  readonly organizers: Prisma.Sql
  readonly language: string
  /** The month, as YYYY-MM, with which the list of months begins. */
  readonly month: string
}

export interface ScanResult {
  readonly total: number
  /** By key. */
  readonly counts: Readonly<Record<string, readonly CountedValue[]>>
}

/** An ID or a text, with its number of events. */
export type CountedValue = readonly [value: unknown, events: number]

/** The column that each facet is counted by. Those of fields that locks withhold are null for locked events. */
const keyColumns: Readonly<Record<Facet, string>> = {
  categories: 'category_ids',
  tags: 'tag_ids',
  venues: 'venue_ids',
  organizers: 'organizer_ids',
  cities: 'venue_ids',
  months: 'month',
  languages: 'languages',
  prices: 'price',
}

const keySql: Readonly<Record<string, string>> = {
  category_ids: 'CASE WHEN e.open THEN k.category_ids END',
  tag_ids: 'CASE WHEN e.open THEN k.tag_ids END',
  venue_ids: 'CASE WHEN e.open THEN k.venue_ids END',
  organizer_ids: 'CASE WHEN e.open THEN k.organizer_ids END',
  month: `date_trunc('month', e.starts_local)`,
  languages: 'k.languages',
  price: `CASE WHEN e.open AND e.free THEN 'free' WHEN e.open AND e.paid THEN 'paid' END`,
}

/** Has one row with one column of JSON for each scan, named `scan0`, `scan1`, … */
export function facetStatement(scans: readonly FacetScan[], sources: FacetSources): Prisma.Sql {
  const parts = scans.map((scan, index) => scanSql(scan, `scan${index}`, sources))
  const tables = join(
    parts.flatMap((part) => part.tables),
    ', ',
  )
  const results = join(
    parts.map((part) => part.result),
    ', ',
  )
  return sql`WITH ${tables} SELECT ${results}`
}

/** Events with the same links form one row, so that few rows are joined with the linked records. */
function scanSql({ events, counts }: FacetScan, name: string, sources: FacetSources) {
  const columns = [...new Set(counts.map(({ facet }) => keyColumns[facet]))]
  const table = raw(name)
  const keys = raw(columns.map((column) => `${keySql[column]} AS ${column}`).join(', '))
  const needsLinks = columns.some((column) => column !== 'month' && column !== 'price')
  const outputs = [columns.length > 0 ? `grouping(${columns.join(', ')}) AS key` : '0 AS key', ...columns]
  const sets = [...columns.map((column) => `(${column})`), '()']
  const grouped = sql`${table} AS MATERIALIZED (
    SELECT ${raw(outputs.join(', '))}, count(*)::int AS events
    FROM (SELECT ${keys} FROM (${events}) e ${needsLinks ? raw('JOIN event_facet_keys k ON k.event_id = e.id') : empty}) m
    GROUP BY GROUPING SETS (${raw(sets.join(', '))}))`
  // A row has only the column that it is grouped by. The key of the total has a bit for each column.
  const all = 2 ** columns.length - 1
  const rowsBy = (column: string) => sql`${table} g WHERE g.${raw(column)} IS NOT NULL`
  const venues = raw(`${name}_venues`)
  const venueRows = sql`${venues} AS MATERIALIZED (
    SELECT g.venue_ids, g.events, v.id, v.city, v.country, v.folded_city, v.open
    FROM (SELECT * FROM ${rowsBy('venue_ids')}) g CROSS JOIN unnest(g.venue_ids) AS link(id)
      JOIN (${sources.venues}) v ON v.id = link.id)`
  const results = counts.map((count) => {
    const rows = keyColumns[count.facet] === 'venue_ids' ? venues : rowsBy(keyColumns[count.facet])
    return sql`${count.key}::text, (${countSql[count.facet](rows, count, sources)})`
  })
  return {
    tables: columns.includes('venue_ids') ? [grouped, venueRows] : [grouped],
    result: sql`json_build_object('total', (SELECT g.events FROM ${table} g WHERE g.key = ${raw(String(all))}),
      'counts', json_build_object(${results.length > 0 ? join(results, ', ') : empty}))::text AS ${table}`,
  }
}

type CountSql = (rows: Prisma.Sql, count: FacetCount, sources: FacetSources) => Prisma.Sql

const countSql: Readonly<Record<Facet, CountSql>> = {
  categories: (rows, count, sources) =>
    records(
      'category',
      sql`SELECT id, sum(events)::int AS events FROM (
          SELECT DISTINCT g.category_ids, g.events, path.ancestor_id AS id
          FROM (SELECT * FROM ${rows}) g CROSS JOIN unnest(g.category_ids) AS link(id)
            JOIN category_path path ON path.descendant_id = link.id
        ) in_tree GROUP BY id`,
      sql`SELECT id FROM category`,
      count,
      sources,
    ),
  tags: (rows, count, sources) => records('tag', links(rows, 'tag_ids'), sql`SELECT id FROM tag`, count, sources),
  venues: (rows, count, sources) =>
    records(
      'venue',
      sql`SELECT id, sum(events)::int AS events FROM ${rows} GROUP BY id`,
      sources.venues,
      count,
      sources,
    ),
  organizers: (rows, count, sources) =>
    records(
      'organizer',
      sql`SELECT links.id, links.events FROM (${links(rows, 'organizer_ids')}) links
        JOIN (${sources.organizers}) visible ON visible.id = links.id`,
      sources.organizers,
      count,
      sources,
    ),
  cities,
  months: (rows, { first }, { month }) => {
    const start = sql`${`${month}-01`}::timestamp`
    return sql`
    SELECT coalesce(json_agg(json_build_array(to_char(month, 'YYYY-MM'), events) ORDER BY month), '[]')
    FROM (SELECT g.month, g.events FROM ${rows}
      ORDER BY g.month < ${start}, abs(extract(epoch FROM g.month - ${start})) LIMIT ${first}::int) counts`
  },
  languages: (rows) => sql`
    SELECT coalesce(json_agg(json_build_array(language, events)), '[]')
    FROM (SELECT language, sum(events)::int AS events
      FROM (SELECT * FROM ${rows}) g CROSS JOIN unnest(g.languages) AS written(language) GROUP BY language) counts`,
  prices: (rows) => sql`
    SELECT coalesce(json_agg(json_build_array(price, events)), '[]') FROM (SELECT * FROM ${rows}) counts
`,
}

/** Spellings of a city are one city, as the filter compares them. It is shown as most of its events write it. */
function cities(rows: Prisma.Sql, { first, selected }: FacetCount, { venues }: FacetSources): Prisma.Sql {
  const top = sql`SELECT city, events FROM counts ORDER BY events DESC, city COLLATE "und-x-icu", city LIMIT ${first}::int`
  const chosen = sql`${[...selected]}::text[]`
  const listed = sql`(${top}) UNION
    SELECT chosen.city, coalesce(counts.events, 0) FROM unnest(${chosen}) AS chosen(city) LEFT JOIN counts USING (city)`
  const unused = sql`UNION ALL
    SELECT folded_city, city, country, 0 FROM (${venues}) v WHERE open AND folded_city = ANY(${chosen})`
  return sql`WITH spellings AS MATERIALIZED (
      SELECT folded_city AS key, city, country, sum(events) AS events FROM ${rows}
      WHERE open AND folded_city <> '' GROUP BY folded_city, city, country
      ${selected.length > 0 ? unused : empty}
    ), counts AS MATERIALIZED (
      SELECT folded_city AS city, sum(events)::int AS events
      FROM (SELECT DISTINCT venue_ids, events, folded_city FROM ${rows} WHERE open AND folded_city <> '') in_city
      GROUP BY folded_city
    ), listed AS (${selected.length > 0 ? listed : top})
    SELECT coalesce(json_agg(json_build_array(json_build_array(shown.city, shown.country), listed.events)
      ORDER BY listed.events DESC, listed.city COLLATE "und-x-icu", listed.city), '[]')
    FROM listed CROSS JOIN LATERAL (
      SELECT city, country FROM spellings WHERE spellings.key = listed.city ORDER BY events DESC, city, country LIMIT 1
    ) shown`
}

const links = (rows: Prisma.Sql, column: string) => sql`
  SELECT link.id, sum(g.events)::int AS events
  FROM (SELECT * FROM ${rows}) g CROSS JOIN unnest(g.${raw(column)}) AS link(id) GROUP BY link.id`

/**
 * The records with most events, by number and then by name, and the selected ones. `counts` has the columns `id` and
 * `events`, and `visible` has the IDs of the records that the caller may see. Names are only read of records whose number
 * is high enough.
 */
function records(
  kind: string,
  counts: Prisma.Sql,
  visible: Prisma.Sql,
  { first, selected }: FacetCount,
  { language }: FacetSources,
): Prisma.Sql {
  const texts = raw(`${kind}_text t ON t.${kind}_id`)
  const top = sql`
    SELECT most.id, most.events, t.name
    FROM (SELECT id, events FROM counts ORDER BY events DESC FETCH FIRST (${first}::int) ROWS WITH TIES) most
      JOIN ${texts} = most.id AND t.language = ${language}
    ORDER BY most.events DESC, t.name, most.id LIMIT ${first}::int`
  const others = sql`
    SELECT visible.id, coalesce(counts.events, 0), t.name
    FROM (${visible}) visible JOIN ${texts} = visible.id AND t.language = ${language}
      LEFT JOIN counts ON counts.id = visible.id
    WHERE visible.id = ANY(${[...selected]}::int[])`
  const rows = selected.length === 0 ? top : sql`(${top}) UNION ${others}`
  return sql`WITH counts AS MATERIALIZED (${counts})
    SELECT coalesce(json_agg(json_build_array(id, events) ORDER BY events DESC, name, id), '[]') FROM (${rows}) ranked`
}
