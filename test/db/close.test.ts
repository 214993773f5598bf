import { expect, it } from 'vitest'
import { openEmbeddedDatabase } from '../../src/engine/postgres/pool.ts'

it('answers the statements that wait for the connection when the database closes', async () => {
  const { pool, close } = openEmbeddedDatabase(undefined)
  const statements = [1, 2, 3].map((value) => pool.query('SELECT $1::int AS value', [value]))
  const results = Promise.all(statements.map((statement) => statement.then(({ rows }) => rows[0]?.value)))
  await close()
  expect(await results).toEqual([1, 2, 3])
})
