// How much memory the service holds after `npm start`, without settings of Node, under mixed requests and writes.
// REQUESTS=100000 and WRITES=1000 set how many.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { npmStart, sendMixed } from '../helpers/npm-start.ts'

/** Megabytes. A server's limit includes the response cache, which the requests fill. */
const limit = inject('server') ? 400 : 600
const requests = Number(process.env.REQUESTS ?? 20_000)
const writes = Number(process.env.WRITES ?? 1000)

test(`the service holds less than ${limit} MB under requests and writes`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-memory-'))
  const { url: DATABASE_URL, drop } = await emptyDatabaseUrl(join(folder, 'data'))
  const ADMIN = { ADMIN_LOGIN: 'boss', ADMIN_PASSWORD: 'a long enough password' }
  const service = await npmStart({ DATABASE_URL, IMAGES_DIR: join(folder, 'images'), ...ADMIN })
  const authorization = `Basic ${Buffer.from('boss:a long enough password').toString('base64')}`
  const held: number[] = []
  try {
    const turns = 20
    for (let turn = 0; turn < turns; turn += 1) {
      await sendMixed(service.url, requests / turns)
      for (let number = 0; number < writes / turns; number += 1) {
        const body = JSON.stringify({ title: `${turn} ${number}`, start_date: '2030-05-01', end_date: '2030-05-02' })
        const headers = { 'content-type': 'application/json', authorization }
        const { status } = await fetch(`${service.url}/cal/events/v1/events`, { method: 'POST', headers, body })
        expect(status).toBe(201)
      }
      held.push(Math.round(await service.memory()))
    }
    console.log(`MB after each ${requests / turns} requests and ${writes / turns} writes: ${held.join(' ')}`)
    expect(Math.max(...held)).toBeLessThan(limit)
  } finally {
    await service.stop()
    await drop()
    rmSync(folder, { recursive: true })
  }
})
