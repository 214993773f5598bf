// The modules that a start loads: loading them takes most of its time. On this machine the image library does not load: the service
// works, and uploads say why they fail.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { authorization, killAll, startInstances } from '../helpers/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'calendar-loading-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Prints what is loaded, and fails for sharp. */
const hooks = `import { registerHooks } from 'node:module'
registerHooks({
  resolve: (name, context, next) => {
    if (name !== 'sharp') return next(name, context)
    process.stderr.write('loaded node_modules/sharp ')
    throw new Error('Could not load the "sharp" module using the test runtime')
  },
  load: (url, context, next) => (process.stderr.write('loaded ' + url + ' '), next(url, context)),
})`

test('a start on an existing database loads no modules that few requests need, and without the image library uploads fail with the reason', async () => {
  const { url, drop } = await migratedDatabaseUrl(join(folder, 'database'))
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`
  const services = await startInstances(1, { DATABASE_URL: url, NODE_OPTIONS, IMAGES_DIR: join(folder, 'images') })
  const [service] = services
  const send = (path: string, init: RequestInit = {}) => fetch(`${service?.url}${path}`, init)
  const printed = () => service?.output() ?? ''
  try {
    expect((await send('/cal/events/v1/events')).status).toBe(200)
    const rare = ['undici', 'jose', 'sanitize-html', 'sharp', 'swagger-ui', '@fastify/ajv-compiler', 'commander']
    expect(printed()).toMatch(/postgres\/migrate\.ts.*node_modules\/fastify\//s)
    for (const name of rare) expect(printed()).not.toMatch(new RegExp(`loaded \\S*(src/db|node_modules)/${name}`))

    const body = new FormData()
    const query = 'mutation ($file: File!) { uploadImage(input: { file: $file }) { image { id } } }'
    body.set('operations', JSON.stringify({ query, variables: { file: null } }))
    body.set('map', JSON.stringify({ 0: ['variables.file'] }))
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')
    body.set('0', new File([gif], 'a.gif'))
    const headers = { authorization, 'graphql-require-preflight': '1' }
    const reply = await send('/graphql', { method: 'POST', headers, body })
    const { errors } = (await reply.json()) as { errors: { message: string; extensions: { code: string } }[] }
    expect([errors[0]?.extensions.code, errors[0]?.message]).toEqual([
      'UNAVAILABLE',
      expect.stringContaining('its image library "sharp" does not load on this machine'),
    ])
    await expect.poll(printed).toContain('using the test runtime')
    expect((await send('/cal/events/v1/events')).status).toBe(200)
  } finally {
    await killAll(services)
    await drop()
  }
})
