// Webhooks of a process that is killed, and the receiver of the examples.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { authorization, freePort, killAll, runCommands, type Service, startInstances } from '../helpers/process.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts'

let folder: string
let database: { url: string; drop: () => Promise<void> }
let env: Record<string, string>
let receiver: WebhookReceiver
const services: Service[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'))
  database = await migratedDatabaseUrl(folder)
  env = { DATABASE_URL: database.url, IMAGES_DIR: join(folder, 'images'), WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' }
  receiver = await startWebhookReceiver()
})
afterEach(async () => {
  await killAll(services.splice(0))
  receiver.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(count = 1): Promise<Service> {
  services.push(...(await startInstances(count, env)))
  return services.at(-1) as Service
}

async function mutate({ url }: Service, mutation: string) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query: `mutation { done: ${mutation} }` }),
  })
  const { data, errors } = (await response.json()) as { data: { done: Record<string, unknown> }; errors?: unknown }
  expect(errors).toBeUndefined()
  return data.done
}

const createTag = (service: Service, name: string) =>
  mutate(service, `createTag(input: { name: "${name}" }) { userErrors { message } }`)

test('a message is delivered again, with the same ID, if the process was killed before it knew of the delivery', async () => {
  const service = await start()
  await createWebhook(service, '/a')
  const killed = Promise.withResolvers<void>()
  receiver.responses.set('/a', async (response, count) => {
    if (count === 1) {
      service.child.kill('SIGKILL')
      await service.ended
      killed.resolve()
    }
    response.writeHead(204).end()
  })
  await createTag(service, 'new')
  await killed.promise
  await start()
  const [first, second] = await receiver.until('/a', 2)
  expect(first?.message.type).toBe('tag.created')
  expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
})

const createWebhook = (service: Service, path: string) =>
  mutate(service, `createWebhook(input: { url: "${receiver.url}${path}" }) { secret userErrors { message } }`)

test.runIf(inject('server'))(
  'three instances send each message once, and one that is killed leaves its message to the others',
  async () => {
    await start(3)
    const created = 60
    for (const path of ['/a', '/hangs', '/killed']) await createWebhook(services[0] as Service, path)
    receiver.responses.set('/hangs', () => {})
    const isKilled = Promise.withResolvers<void>()
    // One after another at each instance: many passwords at once would be refused.
    await Promise.all(
      services.map(async (service, first) => {
        for (let n = first; n < created; n += 3) await createTag(service, `tag ${n}`)
      }),
    )
    const all = await receiver.until('/a', created)
    // Messages that are sent twice would come now.
    await setTimeout(2000)
    expect(receiver.open('/hangs')).toBeLessThanOrEqual(3 * 4)
    for (const path of ['/a', '/killed']) {
      const own = receiver.received.filter((message) => message.path === path)
      for (const key of ['id', 'record'] as const)
        expect([path, new Set(own.map(({ id, message }) => (key === 'id' ? id : message.data.id))).size]).toEqual([
          path,
          created,
        ])
      expect([path, own.length]).toEqual([path, all.length])
    }
    receiver.responses.set('/killed', async (response, count) => {
      if (count > created + 1) return response.writeHead(204).end()
      // Kills one instance after another, until it was the one that sent the message.
      while (!response.destroyed) {
        const [service] = services.splice(0, 1)
        await killAll(service ? [service] : [])
        await setTimeout(100)
      }
      return isKilled.resolve()
    })
    await createTag(services[0] as Service, 'last')
    await isKilled.promise
    if (services.length === 0) await start()
    const [first, second] = (await receiver.until('/killed', created + 2)).slice(created)
    expect(first?.message.type).toBe('tag.created')
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
  },
)

test('commands manage webhooks, and the receiver of the examples prints what changed', async () => {
  // The first start sets the database up.
  await killAll([await start()])
  const port = await freePort()
  const [created] = await runCommands(env, [
    ['webhook', 'create', `http://127.0.0.1:${port}/`, '--filter', '{"kinds": ["TAG"]}', '--json'],
  ])
  const { id, secret } = JSON.parse(created?.out ?? '')
  const { PATH = '' } = process.env
  const example = spawn(process.execPath, ['examples/webhook-receiver/receiver.ts'], {
    env: { PATH, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  example.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk))
  const printed = async (text: string) => {
    while (!out.includes(text)) await once(example.stdout, 'data')
  }
  try {
    await printed(`Listening on port ${port}`)
    const [listed, pinged, replayed] = await runCommands(env, [
      ['webhook', 'list'],
      ['webhook', 'ping', String(id)],
      ['webhook', 'replay', String(id), '--from', '2026-01-01T00:00:00Z'],
    ])
    expect(listed?.out).toContain(`http://127.0.0.1:${port}/`)
    expect(listed?.out).not.toContain(secret)
    expect(pinged?.out).toBe('The endpoint responded with status 204\n')
    expect(replayed?.out).toBe('0 messages will be sent\n')
    await printed('ping')
    const service = await start()
    await createTag(service, 'Late night')
    await printed('tag.created')
    expect(out).toMatch(/^tag\.created \d+ http\S+\/late-night\/$/m)
    const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })
    expect(unsigned.status).toBe(401)
    await killAll([service])
    const [deleted, failed] = await runCommands(env, [
      ['webhook', 'delete', String(id)],
      ['webhook', 'ping', String(id)],
    ])
    expect(deleted?.out).toBe(`Deleted ${id}\n`)
    expect(failed).toMatchObject({ code: 1, err: 'There is no webhook with this id.\n' })
  } finally {
    example.kill('SIGKILL')
  }
})
