// One SQL statement that counts events by several facets.
import { Prisma } from '../../../generated/prisma/client.ts'

const { sql, raw, join, empty } = Prisma

/** A facet to count, and how many of its values to return. */
export interface FacetRequest {
  readonly key: string
  readonly facet: Facet
  readonly first: number
  /** IDs or cities to return even if no event has them. */
  readonly selected: readonly (number | string)[]
}

/** Facets that are counted over the same events. */
export interface FacetsOfEvents {
  /** SELECT of events with the column `open` (unlocked), and for prices `priced` and `paid`: `cost` has a price, or a price above 0. */
  readonly events: Prisma.Sql
  /** Set if `events` start within a range. `others` is a SELECT of the events of over 31 days that start outside of the range. */
  readonly inRange?: {
    readonly from?: Date | undefined
    readonly until?: Date | undefined
    readonly others: Prisma.Sql
  }
  readonly counts: readonly FacetRequest[]
}

/** The SELECTs and values that the facet statement needs besides the events. */
export interface FacetSqlSources {
  /** A SELECT of the venues that the caller may see, with the column `open`, true if unlocked. */
  readonly venues: Prisma.Sql
  /** SELECTs of the records that lists show in the language of the operation; undefined for all records. */
  readonly listed: Readonly<
    Record<'category' | 'tag', Prisma.Sql | undefined> & Record<'venue' | 'organizer', Prisma.Sql>
  >
  readonly language: string
  /** The month, as YYYY-MM, with which the list of months begins. */
  readonly month: string
}

export interface FacetScanRow {
  readonly total: number
  readonly counts: Readonly<Record<string, readonly FacetValueCount[]>>
}

/** A value of a facet, such as a venue ID, with its number of events. */
export type FacetValueCount = readonly [value: unknown, events: number]

/** The column that each facet groups by. Columns of withheld fields are null for locked events. */
const keyColumns = {
  categories: 'category_ids',
  tags: 'tag_ids',
  venues: 'venue_ids',
  organizers: 'organizer_ids',
  cities: 'venue_ids',
  months: 'month',
  languages: 'languages',
  prices: 'price',
} as const

export type Facet = keyof typeof keyColumns

const keySql: Readonly<Record<string, string>> = {
  month: `date_trunc('month', e.starts_local)`,
  languages: 'k.languages',
  price: `CASE WHEN NOT e.open THEN NULL WHEN e.paid OR k.paid_tickets THEN 'paid'
    WHEN e.priced OR k.paid_tickets IS NOT NULL THEN 'free' END`,
}

/** Whether most events differ in the column, so that grouping events by the column saves no time. */
const isUngrouped = (column: string) => column === 'venue_ids' || column === 'organizer_ids'

/** Returns a statement whose row has one JSON column for each scan: `scan0`, `scan1`, … */
export function facetCountsSql(scans: readonly FacetsOfEvents[], sources: FacetSqlSources): Prisma.Sql {
  const parts = scans.map((scan, index) => scanSql(scan, `scan${index}`, sources))
  const tables = parts.flatMap((part) => part.tables)
  const results = parts.map((part) => part.result)
  return sql`WITH ${join(tables, ', ')} SELECT ${join(results, ', ')}`
}

/** Returns a SELECT of the events, joined with the columns to group by if needed. */
function rowsOf({ events, inRange }: FacetsOfEvents, columns: Prisma.Sql, needsKeys: boolean): Prisma.Sql {
  // A left join, although each event has a row of these columns: then the planner does not underestimate the number of rows.
  const select = (source: Prisma.Sql, keys: Prisma.Sql) =>
    sql`SELECT ${columns} FROM (${source}) e ${needsKeys ? sql`LEFT JOIN ${keys} k ON k.event_id = e.id` : empty}`
  const allKeys = raw('event_facet_keys')
  if (!inRange) return select(events, allKeys)
  return sql`${select(events, keysOf(inRange))} UNION ALL ${select(inRange.others, allKeys)}`
}

/** SELECT of the columns to group by: of events that start in this range, and of the few events missing in the index by start. */
function keysOf({ from, until }: NonNullable<FacetsOfEvents['inRange']>): Prisma.Sql {
  const bounds = [...(from ? [sql`AND starts_at >= ${from}`] : []), ...(until ? [sql`AND starts_at <= ${until}`] : [])]
  const columns = raw('event_id, category_ids, tag_ids, venue_ids, organizer_ids, languages, paid_tickets')
  return sql`(
      SELECT ${columns} FROM event_facet_keys WHERE indexed ${join(bounds, ' ')}
      UNION ALL SELECT ${columns} FROM event_facet_keys WHERE NOT indexed)`
}

/** Returns the SQL of a scan. Events with the same links form one row, so that few rows are joined with the linked records. */
function scanSql(scan: FacetsOfEvents, name: string, sources: FacetSqlSources) {
  const { counts } = scan
  const columns = [...new Set(counts.map(({ facet }) => keyColumns[facet]))]
  const grouped = columns.filter((column) => !isUngrouped(column))
  const [table, groups] = [raw(name), raw(`${name}_groups`)]
  const keys = raw(
    [
      'e.id',
      ...columns.map((column) => `${keySql[column] ?? `CASE WHEN e.open THEN k.${column} END`} AS ${column}`),
    ].join(', '),
  )
  const needsKeys = columns.some((column) => column !== 'month')
  const outputs = [grouped.length > 0 ? `grouping(${grouped.join(', ')}) AS key` : '0 AS key', ...grouped]
  const sets = [...grouped.map((column) => `(${column})`), '()']
  const tables = [
    sql`${table} AS (${rowsOf(scan, keys, needsKeys)})`,
    sql`${groups} AS MATERIALIZED (
    SELECT ${raw(outputs.join(', '))}, count(*)::int AS events FROM ${table} GROUP BY GROUPING SETS (${raw(sets.join(', '))}))`,
    ...columns
      .filter(isUngrouped)
      .map((column) => sql`${raw(`${name}_${column}`)} AS MATERIALIZED (${linkCounts(table, column)})`),
  ]
  // GROUPING() has a bit for each column that a row is not grouped by: the row of the total has all bits.
  const all = 2 ** grouped.length - 1
  const results = counts.map((count) => {
    const column = keyColumns[count.facet]
    const rows = isUngrouped(column)
      ? raw(`${name}_${column}`)
      : sql`(SELECT * FROM ${groups} WHERE ${raw(column)} IS NOT NULL) g`
    return sql`${count.key}::text, (${countSql[count.facet](rows, count, sources, table)})`
  })
  return {
    tables,
    result: sql`json_build_object('total', (SELECT g.events FROM ${groups} g WHERE g.key = ${raw(String(all))}),
      'counts', json_build_object(${results.length > 0 ? join(results, ', ') : empty}))::text AS ${table}`,
  }
}

/** Returns SQL that counts a facet. `rows` are groups of events, or linked records, each with its number of `events`. */
type CountSql = (rows: Prisma.Sql, count: FacetRequest, sources: FacetSqlSources, events: Prisma.Sql) => Prisma.Sql

/** Counts cities. Spellings that the filter treats as equal are one city, shown in the most frequent spelling. */
const cities: CountSql = (rows, { first, selected }, { venues }, events) => {
  const top = sql`SELECT city, events FROM counts ORDER BY events DESC, city COLLATE "und-x-icu", city LIMIT ${first}::int`
  const chosen = sql`${[...selected]}::text[]`
  const listed = sql`(${top}) UNION
    SELECT chosen.city, coalesce(counts.events, 0) FROM unnest(${chosen}) AS chosen(city) LEFT JOIN counts USING (city)`
  const unused = sql`UNION ALL
    SELECT folded_city, city, country, 0 FROM (${venues}) v WHERE open AND folded_city = ANY(${chosen})`
  // An event with several venues in a city counts once.
  return sql`WITH in_city AS MATERIALIZED (
      SELECT v.id, v.city, v.country, v.folded_city, link.events
      FROM ${rows} link JOIN (${venues}) v ON v.id = link.id
      WHERE v.open AND v.folded_city <> ''
    ), spellings AS MATERIALIZED (
      SELECT folded_city AS key, city, country, sum(events)::int AS events FROM in_city GROUP BY folded_city, city, country
      ${selected.length > 0 ? unused : empty}
    ), repeated AS (
      SELECT folded_city AS city, sum(links - 1)::int AS events FROM (
        SELECT e.id, folded_city, count(*) AS links
        FROM (SELECT id, unnest(venue_ids) AS venue_id FROM ${events} WHERE cardinality(venue_ids) > 1) e
          JOIN in_city ON in_city.id = e.venue_id
        GROUP BY e.id, folded_city HAVING count(*) > 1) several
      GROUP BY folded_city
    ), counts AS MATERIALIZED (
      SELECT city, linked.events - coalesce(repeated.events, 0) AS events
      FROM (SELECT folded_city AS city, sum(events)::int AS events FROM in_city GROUP BY folded_city) linked
        LEFT JOIN repeated USING (city)
    ), listed AS (${selected.length > 0 ? listed : top})
    SELECT coalesce(json_agg(json_build_array(json_build_array(shown.city, shown.country), listed.events)
      ORDER BY listed.events DESC, listed.city COLLATE "und-x-icu", listed.city), '[]')
    FROM listed CROSS JOIN LATERAL (
      SELECT city, country FROM spellings WHERE spellings.key = listed.city ORDER BY events DESC, city, country LIMIT 1
    ) shown`
}

const countSql: Readonly<Record<Facet, CountSql>> = {
  categories: (rows, count, sources) =>
    records(
      'category',
      sql`SELECT id, sum(events)::int AS events FROM (
          SELECT DISTINCT g.category_ids, g.events, path.ancestor_id AS id
          FROM (SELECT category_ids, events, unnest(category_ids::int[]) AS linked FROM ${rows}) g
            JOIN category_path path ON path.descendant_id = g.linked
        ) in_tree GROUP BY id`,
      count,
      sources,
    ),
  tags: (rows, count, sources) =>
    records(
      'tag',
      sql`SELECT id, sum(events)::int AS events
        FROM (SELECT unnest(tag_ids::int[]) AS id, events FROM ${rows}) link GROUP BY id`,
      count,
      sources,
    ),
  venues: (rows, count, sources) => records('venue', sql`TABLE ${rows}`, count, sources),
  organizers: (rows, count, sources) => records('organizer', sql`TABLE ${rows}`, count, sources),
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
      FROM (SELECT unnest(languages::text[]) AS language, events FROM ${rows}) written GROUP BY language) counts`,
  prices: (rows) => sql`
    SELECT coalesce(json_agg(json_build_array(price, events)), '[]') FROM ${rows}
`,
}

/**
 * Returns a SELECT of the linked records with their number of events. Avoids `unnest` for the many events with one link. `unnest`
 * is in the SELECT list, because it is faster there than as a joined function.
 */
const linkCounts = (events: Prisma.Sql, column: string) => {
  const links = raw(column)
  return sql`
  SELECT id, count(*)::int AS events FROM (
    SELECT ${links}[1] AS id FROM ${events} WHERE cardinality(${links}) = 1
    UNION ALL SELECT unnest(${links}) FROM ${events} WHERE cardinality(${links}) > 1) link GROUP BY id`
}

/** Returns the records with most events, then by name, and the selected records. Reads only records with enough events. */
function records(
  kind: keyof FacetSqlSources['listed'],
  counts: Prisma.Sql,
  { first, selected }: FacetRequest,
  { listed, language }: FacetSqlSources,
): Prisma.Sql {
  const visible = listed[kind]
  const texts = raw(`${kind}_text t ON t.${kind}_id`)
  // LIMIT makes the planner look up the records in the order of their numbers, until there are enough.
  const isVisible = visible ? sql`, LATERAL (SELECT FROM (${visible}) v WHERE v.id = counts.id LIMIT 1) visible` : empty
  const top = sql`
    SELECT most.id, most.events, t.name
    FROM (SELECT counts.id, counts.events FROM (SELECT id, events FROM counts ORDER BY events DESC) counts ${isVisible}
        ORDER BY counts.events DESC FETCH FIRST (${first}::int) ROWS WITH TIES) most
      JOIN ${texts} = most.id AND t.language = ${language}
    ORDER BY most.events DESC, t.name, most.id LIMIT ${first}::int`
  const others = sql`
    SELECT visible.id, coalesce(counts.events, 0), t.name
    FROM (${visible ?? raw(`SELECT id FROM ${kind}`)}) visible JOIN ${texts} = visible.id AND t.language = ${language}
      LEFT JOIN counts ON counts.id = visible.id
    WHERE visible.id = ANY(${[...selected]}::int[])`
  const rows = selected.length === 0 ? top : sql`(${top}) UNION ${others}`
  return sql`WITH counts AS MATERIALIZED (${counts})
    SELECT coalesce(json_agg(json_build_array(id, events) ORDER BY events DESC, name, id), '[]') FROM (${rows}) ranked`
}
