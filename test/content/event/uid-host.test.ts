// The host in the UIDs of events stays when the site moves to another domain.
import { afterEach, expect, test } from 'vitest'
import { readSettings } from '../../../src/basics/env.ts'
import { initializeSite } from '../../../src/calendar/site/site.ts'
import { CliCalendarEventsDocument } from '../../../src/generated/graphql/graphql.ts'
import { createOperations } from '../../../src/tools/operations.ts'
import { now, openTestApp, serve, type TestApp } from '../../helpers/app.ts'
import { makeEvent } from '../../helpers/make.ts'
import { party, read, write, written } from '../../helpers/write.ts'

let app: TestApp
afterEach(() => app?.close())

const uidOf = async (client: TestApp, id: number) => (await read(client, 'event', id, 'uid')).uid

test('events keep their UID when the site gets another domain, and new ones have its first host, too', async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://one.example:8443' })
  const id = await makeEvent(app.db, 'Before')
  const moved = await serve(app, { PUBLIC_URL: 'https://two.example' })
  const admin = await moved.signIn('administrator')
  const later = await written(admin, 'create', 'event', party)
  expect(await uidOf(moved, id)).toBe(`${id}@one.example:8443`)
  expect(await uidOf(moved, later)).toBe(`${later}@one.example:8443`)
  for (const path of ['/events.ics', '/events.json', '/events.rss']) {
    const { payload } = await moved.app.inject(path)
    expect(payload).toContain(`${id}@one.example:8443`)
    expect(payload).not.toContain('@two.example')
  }
  const filtered = await moved.graphql(
    `{ events(filter: { uids: ["${id}@one.example:8443", "${later}@two.example"] }) { nodes { databaseId } } }`,
  )
  expect(filtered.body.data.events.nodes).toEqual([{ databaseId: id }])
  const taken = { ...party, uid: `${id}@one.example:8443` }
  expect((await write(admin, 'create', 'event', taken)).errors).toEqual(['CONFLICT'])
})

test('commands without PUBLIC_URL see the UIDs of the service', async () => {
  app = await openTestApp()
  const id = await makeEvent(app.db, 'Party')
  const { execute } = await createOperations({ ...app, settings: readSettings({}), now: () => now })
  const { nodes } = await execute(CliCalendarEventsDocument, { ids: [`Event:${id}`].map(btoa) })
  expect(nodes).toMatchObject([{ uid: `${id}@calendar.test` }])
})

test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'http://app.localhost'])(
  'UIDs have a random host, and keep it, if the site was created at %s',
  async (PUBLIC_URL) => {
    app = await openTestApp({ PUBLIC_URL })
    const id = await makeEvent(app.db, 'Party')
    const uid = await uidOf(app, id)
    expect(uid).toMatch(new RegExp(`^${id}@[0-9a-f-]{36}$`))
    expect(await uidOf(await serve(app, { PUBLIC_URL: 'https://calendar.example' }), id)).toBe(uid)
  },
)

test('a database of an older version keeps the host of the service, which instances that start together store once', async () => {
  app = await openTestApp()
  const id = await makeEvent(app.db, 'Party')
  await app.db.site.updateMany({ data: { uidHost: null } })
  const stored = async () => (await app.db.site.findFirstOrThrow()).uidHost
  const local = readSettings({ PORT: '3000' })
  expect((await initializeSite(app.db, local)).uidHost).toBe('localhost:3000')
  expect(await stored()).toBeNull()
  const urls = ['https://one.example', 'https://two.example', 'https://three.example']
  const sites = await Promise.all(urls.map((publicUrl) => initializeSite(app.db, { ...local, publicUrl })))
  expect(new Set(sites.map(({ uidHost }) => uidHost))).toEqual(new Set([await stored()]))
  expect(urls).toContain(`https://${await stored()}`)
  expect(await uidOf(await serve(app), id)).toBe(`${id}@${await stored()}`)
})
