// Three instances tell webhooks of 10,000 changes in a minute, while an endpoint hangs: each is told once, and memory stays flat.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { authorization, killAll, startInstances } from '../helpers/process.ts'
import { startWebhookReceiver } from '../helpers/webhook-receiver.ts'

const [batches, size] = [100, 100]
/** Milliseconds from one batch of changes to the next: 10,000 in a minute. */
const interval = 600

const megabytesOf = (pid: number | undefined, name: 'VmRSS' | 'VmHWM') =>
  Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

test.runIf(inject('server'))('10,000 changes in a minute', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhooks-burst-'))
  const { url, drop } = await migratedDatabaseUrl(folder)
  const env = {
    ...{ DATABASE_URL: url, IMAGES_DIR: join(folder, 'images'), WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' },
    // V8 lets garbage grow by a quarter of a gigabyte before it collects the old generation for the first time.
    NODE_OPTIONS: '--max-old-space-size=150',
  }
  const [services, receiver] = [await startInstances(3, env), await startWebhookReceiver()]
  const database = openServerDatabase(url, 2)
  onTestFinished(async () => {
    await killAll(services)
    receiver.close()
    await database.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  receiver.responses.set('/hangs', () => {})
  for (const path of ['/a', '/hangs']) {
    const query = `mutation { createWebhook(input: { url: "${receiver.url}${path}" }) { userErrors { message } } }`
    const headers = { 'content-type': 'application/json', authorization }
    await fetch(`${services[0]?.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  }
  const memory = (name: 'VmRSS' | 'VmHWM') => services.map(({ child: { pid } }) => megabytesOf(pid, name))
  const write = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const text = `WITH made AS (INSERT INTO tag (original_language) VALUES ('en') RETURNING id)
        INSERT INTO tag_text (tag_id, language, name, description, slug, written, source, folded)
        SELECT id, 'en', 'Tag ' || id, '', 'tag-' || id, '{name}', 'en', 'tag' FROM made`
      await database.pool.query(text)
    }
  }
  await write(200)
  await receiver.until('/a', 200)
  const before = memory('VmRSS')
  const begun = performance.now()
  for (let batch = 0; batch < batches; batch += 1) {
    await Promise.all([write(size), setTimeout(interval)])
  }
  const written = performance.now()
  const all = await receiver.until('/a', 200 + batches * size)
  const told = performance.now()
  const seconds = [written - begun, told - begun].map((time) => Math.round(time / 1000))
  console.log({ seconds, before, highest: memory('VmHWM'), after: memory('VmRSS') })
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(new Set(all.map(({ message }) => message.data.databaseId)).size).toBe(all.length)
  for (const [index, highest] of memory('VmHWM').entries()) expect(highest - (before[index] ?? 0)).toBeLessThan(130)
})
