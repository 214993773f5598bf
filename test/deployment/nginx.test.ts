// The service behind a real nginx with docs/deployment/nginx.conf.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Agent, fetch, type RequestInit } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { freePort } from '../helpers/process.ts'
import { replaceAll } from '../helpers/replace-all.ts'
import { listenOn } from '../helpers/subscribe.ts'
import { multipart, multipartType, uploadParts } from '../helpers/upload.ts'

const program = '/usr/sbin/nginx'

/** Starts nginx with the documented configuration, on other ports and with a certificate of its own. */
async function startNginx(
  folder: string,
  service: string,
): Promise<{ child: ChildProcess; http: string; https: string }> {
  const [http, https] = [await freePort(), await freePort()]
  const [certificate, key] = [join(folder, 'calendar.pem'), join(folder, 'calendar.key')]
  const subject = ['-subj', '/CN=calendar.example.org', '-days', '1']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    {
      stdio: 'ignore',
    },
  )
  const site = replaceAll(readFileSync('docs/deployment/nginx.conf', 'utf8'), {
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen 443 ssl': `listen 127.0.0.1:${https} ssl`,
    '/etc/ssl/calendar.pem': certificate,
    '/etc/ssl/calendar.key': key,
    'server 127.0.0.1:4000;': `server ${new URL(service).host};`,
  })
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; user root; pid ${folder}/pid; error_log stderr crit; events {}
    http { access_log off; ${paths.join(' ')}\n${site} }`,
  )
  const child = spawn(program, ['-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${http}`
  while (
    !(await fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    ))
  )
    await setTimeout(20)
  return { child, http: url, https: `https://127.0.0.1:${https}` }
}

describe.skipIf(!existsSync(program))('behind nginx', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-nginx-'))
  const agent = new Agent({ connect: { rejectUnauthorized: false }, allowH2: true })
  let app: TestApp
  let nginx: Awaited<ReturnType<typeof startNginx>>
  const send = (path: string, init: RequestInit = {}) => fetch(`${nginx.https}${path}`, { ...init, dispatcher: agent })

  beforeAll(async () => {
    app = await openTestApp({ TRUST_PROXY: 'loopback', RATE_LIMIT: '1' })
    for (let number = 1; number <= 10; number++) await makeEvent(app.db, `Concert ${number}`)
    nginx = await startNginx(folder, await listenOn(app))
  })
  afterAll(async () => {
    await agent.destroy()
    if (nginx) {
      nginx.child.kill('SIGTERM')
      await once(nginx.child, 'close')
    }
    rmSync(folder, { recursive: true })
    await app?.close()
  })

  test('plain HTTP redirects to HTTPS', async () => {
    const response = await fetch(`${nginx.http}/events/`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([301, 'https://127.0.0.1/events/'])
  })

  test('lists arrive compressed', async () => {
    const response = await send('/cal/events/v1/events', { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toMatchObject({ total: 10 })
  })

  test('nobody reads the metrics', async () => {
    expect((await send('/metrics')).status).toBe(403)
    for (const path of ['/metrics/', '/metrics/?x', '/%6Detrics', '/metric%73'])
      expect([403, 404]).toContain((await send(path)).status)
  })

  test('the service itself refuses the upload of 10 MB by a visitor', async () => {
    const body = multipart(uploadParts(Buffer.alloc(10 * 1024 ** 2)))
    const headers = { ...multipartType, 'graphql-require-preflight': '1', accept: 'application/graphql-response+json' }
    const response = await send('/graphql', { method: 'POST', body, headers })
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'REQUEST_ENTITY_TOO_LARGE' } }] })
  })

  test('changes arrive while the subscription is open', async () => {
    const query = 'subscription { eventChanged { type event { title } } }'
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' }
    const response = await send('/graphql', { method: 'POST', body: JSON.stringify({ query }), headers })
    expect(response.status).toBe(200)
    const id = await makeEvent(app.db, 'Ball')
    let received = ''
    for await (const bytes of response.body ?? []) {
      received += Buffer.from(bytes).toString()
      if (received.includes('Ball')) break
    }
    expect(received).toContain('"type":"CREATED"')
    await app.db.event.delete({ where: { id } })
  })
})
