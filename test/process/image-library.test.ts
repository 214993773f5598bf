// A machine on which the image library does not load: the service works, and uploads say why they fail.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { startService } from '../helpers/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'calendar-library-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hooks = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => {
  if (name === 'sharp') throw new Error('Could not load the "sharp" module using the test runtime')
  return next(name, context)
} })`

test('a service whose image library does not load starts, and uploads fail with the reason', async () => {
  const { url, drop } = await migratedDatabaseUrl(join(folder, 'database'))
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`
  const account = { ADMIN_LOGIN: 'admin', ADMIN_PASSWORD: 'correct horse' }
  const images = { IMAGES_DIR: join(folder, 'images') }
  const service = await startService({ DATABASE_URL: url, SEED: 'off', NODE_OPTIONS, ...account, ...images })
  try {
    await service.ready()
    const body = new FormData()
    const query = 'mutation ($file: File!) { uploadImage(input: { file: $file }) { image { id } } }'
    body.set('operations', JSON.stringify({ query, variables: { file: null } }))
    body.set('map', JSON.stringify({ 0: ['variables.file'] }))
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')
    body.set('0', new File([gif], 'a.gif'))
    const authorization = `Basic ${Buffer.from('admin:correct horse').toString('base64')}`
    const headers = { authorization, 'graphql-require-preflight': '1' }
    const reply = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body })
    const { errors } = (await reply.json()) as { errors: { message: string; extensions: { code: string } }[] }
    expect([errors[0]?.extensions.code, errors[0]?.message]).toEqual([
      'UNAVAILABLE',
      expect.stringContaining('its image library "sharp" does not load on this machine'),
    ])
    await expect.poll(() => service.output()).toContain('using the test runtime')
    expect((await fetch(`${service.url}/cal/events/v1/events`)).status).toBe(200)
  } finally {
    service.child.kill('SIGKILL')
    await service.ended
    await drop()
  }
})
