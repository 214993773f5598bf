// The data model of the read engine equals the database catalogue.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { models } from '../../src/engine/postgres/data-model.ts'
import { openTestDatabase, type TestDatabase } from '../helpers/db.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

test('tables, columns, their types and nullability are those of the catalogue', async () => {
  const { rows } = await database.database.pool.query<{ name: string; type: string; column: string }>(`
    SELECT quote_ident(relname) AS name, '"' || attname || '"' AS column, atttypid::regtype::text AS type
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped`)
  const catalogue = new Map(rows.map(({ name, column, type }) => [`${name.replaceAll('"', '')}.${column}`, type]))
  for (const { table, columns } of models.values()) {
    for (const { sql, native, isList } of columns) {
      const name = `${table.replaceAll('"', '')}.${sql}`
      const [type] = (
        await database.database.pool.query<{ type: string }>('SELECT $1::regtype::text AS type', [
          isList ? `${native}[]` : native,
        ])
      ).rows
      expect(catalogue.get(name), name).toBe(type?.type)
    }
  }
})

test('relations lead along the foreign keys of the catalogue', async () => {
  const { rows } = await database.database.pool.query<{ link: string }>(`
    SELECT conrelid::regclass || '(' || string_agg('"' || a.attname || '"', ',') || ')' || confrelid::regclass ||
      '(' || string_agg('"' || f.attname || '"', ',') || ')' AS link
    FROM pg_constraint, unnest(conkey, confkey) AS key(own, other)
      JOIN pg_attribute a ON a.attnum = key.own JOIN pg_attribute f ON f.attnum = key.other
    WHERE contype = 'f' AND a.attrelid = conrelid AND f.attrelid = confrelid
    GROUP BY pg_constraint.oid, conrelid, confrelid`)
  const links = rows.map(({ link }) => link.replaceAll('"', '')).sort()
  // A view has no foreign keys.
  const tables = [...models.values()].filter(({ sharedRows }) => !sharedRows)
  const expected = tables.flatMap(({ table, fields }) =>
    [...fields.values()].flatMap((field) => {
      if (field.kind !== 'relation' || !field.holdsForeignKey) return []
      const other = models.get(field.model)?.table ?? ''
      const [from, to] = [field.on.map((pair) => pair.from), field.on.map((pair) => pair.to)]
      return [`${table}(${from})${other}(${to})`.replaceAll('"', '')]
    }),
  )
  expect(links).toEqual(expected.sort())
})

test('GIN indexes have a short pending list, which each lookup reads', async () => {
  const { rows } = await database.database.pool.query<{ index: string; limit: string | null }>(`
    SELECT c.relname AS index, substring(array_to_string(c.reloptions, ',') FROM 'gin_pending_list_limit=(\\d+)') AS limit
    FROM pg_class c JOIN pg_am a ON a.oid = c.relam
    WHERE a.amname = 'gin' AND c.relnamespace = current_schema()::regnamespace`)
  expect(rows.length).toBeGreaterThan(0)
  for (const { index, limit } of rows) expect(Number(limit ?? 4096), index).toBeLessThanOrEqual(1024)
})

// pg_dump, pg_restore and the subscriber of a logical replication call functions with an empty search path.
test('functions set the search path with which they find tables, functions and operators', async () => {
  const { rows } = await database.database.pool.query<{ name: string; settings: string[] | null }>(`
    SELECT p.oid::regprocedure AS name, p.proconfig AS settings FROM pg_proc p
    WHERE p.pronamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`)
  expect(rows.length).toBeGreaterThan(20)
  const without = rows.filter(({ settings }) => !settings?.some((setting) => setting.startsWith('search_path=')))
  expect(without.map(({ name }) => name)).toEqual([])
})

test('tables with generated columns have no trigger BEFORE UPDATE, which computes all of them at each update', async () => {
  const { rows } = await database.database.pool.query<{ table: string; triggers: string | null }>(`
    SELECT c.relname AS table, (
      SELECT string_agg(tgname, ', ') FROM pg_trigger
      WHERE tgrelid = c.oid AND NOT tgisinternal AND tgtype & 1 = 1 AND tgtype & 2 = 2 AND tgtype & 16 = 16
    ) AS triggers
    FROM pg_class c
    WHERE relnamespace = current_schema()::regnamespace
      AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attgenerated <> '')`)
  expect(rows.map(({ table }) => table)).toContain('event')
  expect(rows.filter(({ triggers }) => triggers)).toEqual([])
})
