import { expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'

const open = async (milliseconds: number) => {
  const { url, drop } = await emptyDatabaseUrl('')
  const { pool } = openServerDatabase(url, 1)
  pool.options.query_timeout = milliseconds
  const close = async () => {
    await pool.end()
    await drop()
  }
  return { pool, close }
}

test.runIf(inject('server'))(
  'a query without a result in time fails, and the pool replaces its connection',
  async () => {
    const { pool, close } = await open(500)
    await expect(pool.query('SELECT pg_sleep(60)')).rejects.toThrow('The database sent no result in time')
    expect(pool.totalCount).toBe(0)
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await close()
  },
)

test.runIf(inject('server'))('queries return results as promises and to callbacks, and their errors', async () => {
  const { pool, close } = await open(600_000)
  const client = await pool.connect()
  expect((await client.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }])
  expect((await client.query({ name: 'two', text: 'SELECT 2 AS two' })).rows).toEqual([{ two: 2 }])
  const rows = await new Promise((resolve, reject) => {
    client.query('SELECT 3 AS three', (error, result) => (error ? reject(error) : resolve(result.rows)))
  })
  expect(rows).toEqual([{ three: 3 }])
  await expect(client.query('SELECT nothing')).rejects.toMatchObject({ code: '42703' })
  client.release()
  await close()
})
