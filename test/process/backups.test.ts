// The commands of docs/operations.md restore all rows, and copy them to another server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { globalId } from '../../src/calendar/rules/identify.ts'
import { migrate } from '../../src/engine/postgres/migrate.ts'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { makeUnusualRecords } from '../cli/unusual-records.ts'
import { type ApiClient, serve, type TestApp } from '../helpers/app.ts'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { connectTo } from '../helpers/db.ts'
import { databaseOf, documented, readContents, readSchema, runCommands } from '../helpers/dumps.ts'
import { administer } from '../helpers/global-setup.ts'
import { makeSeries } from '../helpers/make.ts'
import { type Service, startService } from '../helpers/process.ts'
import { proposed, send, solve } from '../helpers/proposals.ts'
import type { TestUser } from '../helpers/users.ts'

const search = `{
  events(filter: { search: "concert" }, first: 50) { totalCount nodes { title venues { name } } }
  venues(filter: { search: "salle" }) { totalCount nodes { name descriptionHtml } }
}`
const paths = [
  '/cal/events/v1/events?start_date=2000-01-01&per_page=50',
  '/fr/cal/events/v1/venues?per_page=50',
  '/cal/events/v1/organizers?per_page=50',
  '/es/cal/events/v1/categories?per_page=50',
  '/cal/events/v1/tags?per_page=50',
  `/graphql?query=${encodeURIComponent(search)}`,
]

describe.runIf(inject('server'))('on a server', () => {
  let folder: string
  let cluster: Cluster
  let app: TestApp
  let editor: TestUser & ApiClient
  let images: string
  let service: Service | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'calendar-backups-'))
    images = join(folder, 'images')
    cluster = await startCluster(['fsync=off', 'wal_level=logical'])
    await administer(cluster.url, 'CREATE DATABASE calendar')
    await openFilled()
  })
  afterAll(async () => {
    await app?.close()
    cluster?.drop()
    rmSync(folder, { recursive: true })
  })
  afterEach(async () => {
    service?.child.kill('SIGKILL')
    await service?.ended
    service = undefined
    await administer(cluster.url, 'DROP DATABASE IF EXISTS restored WITH (FORCE)')
  })

  /** The sample, unusual records, and rows of all other tables. */
  async function openFilled(): Promise<void> {
    const database = openServerDatabase(databaseOf(cluster.url, 'calendar'), 4)
    await migrate(database)
    app = await serve(connectTo(database), { IMAGES_DIR: images })
    editor = await app.signIn('editor')
    const imageId = await makeUnusualRecords(app, editor, 10)
    const { status, body } = await editor.send(
      'POST',
      '/cal/events/v1/tags',
      { name: 'Keyed' },
      { 'idempotency-key': 'one' },
    )
    expect(status).toBe(201)
    await database.pool.query(`INSERT INTO cdn_target (name, fingerprint) VALUES ('varnish', '')`)
    await app.db.imageText.create({ data: { imageId, language: 'fr', title: 'Pixel', written: ['title'] } })
    await database.pool.query(`UPDATE tag_text SET description = 'Purged' WHERE name = 'Keyed'`)
    await database.pool.query(`INSERT INTO rate_limit (key, points, expire) VALUES ('client', 3, 1)`)
    const delivery = { type: 'created', kind: 'tag', recordId: 1, data: {}, state: 'delivered' } as const
    // Disabled, so that services on a restored database send nothing.
    const webhook = { url: 'https://hooks.test/', language: 'en', enabled: false, secrets: [], token: '' }
    await app.db.webhook.create({ data: { ...webhook, deliveries: { create: delivery } } })
    await makeSeries(app.db, 'Course')
    app.clock.now = new Date()
    const sender = { contactName: 'Nour', contactEmail: 'nour@example.org' }
    const { proposal } = await send(app, 'proposeEvent', { ...proposed, ...sender, proof: await solve(app) })
    expect(proposal).not.toBeNull()
    const announced = await editor.graphql(
      'mutation ($input: AnnounceEditingInput!) { announceEditing(input: $input) { userErrors { message } } }',
      { input: { recordId: globalId('tag', body.id) } },
    )
    expect(announced.body.data.announceEditing.userErrors).toEqual([])
  }

  const source = () => databaseOf(cluster.url, 'calendar')
  const restored = () => databaseOf(cluster.url, 'restored')
  const run = (part: string) => runCommands(documented(part), { url: cluster.url, folder })

  const expected = () => Promise.all(paths.map(async (path) => (await app.get(path)).body))

  /** What a service responds on another database. */
  async function responses(url: string): Promise<unknown[]> {
    const settings = { IMAGES_DIR: images, PUBLIC_URL: 'http://calendar.test' }
    service = await startService({ DATABASE_URL: url, SEED: 'off', ...settings })
    const { url: address, ready } = service
    await ready()
    return Promise.all(paths.map(async (path) => (await fetch(address + path)).json()))
  }

  test('the database that is dumped has rows in every table', async () => {
    const { tables } = await readContents(source())
    expect(Object.entries(tables).filter(([, rows]) => rows.startsWith('0 '))).toEqual([])
    const bodies = await expected()
    expect(JSON.stringify(bodies)).toContain('Salle')
    const { events, venues } = bodies.at(-1).data
    expect(Math.min(events.totalCount, venues.totalCount)).toBeGreaterThan(0)
  })

  test.each([
    ['a dump', ['pg_dump -Fc', '-j 4 -d restored']],
    ['a dump in SQL', ['pg_dump -f calendar.sql calendar']],
    ['a dump of the rows', ['--disable-triggers']],
  ])('%s restores the schema and all rows', async (_, parts) => {
    for (const part of parts) await run(part)
    expect(await readContents(restored())).toEqual(await readContents(source()))
    const server = { url: cluster.url, folder }
    expect(await readSchema('restored', server)).toBe(await readSchema('calendar', server))
  })

  test('a subscription copies all rows and later changes to another server', async () => {
    const other = await startCluster(['fsync=off'])
    const { port } = new URL(cluster.url)
    const old = { 'host=old': `host=127.0.0.1 port=${port} user=postgres` }
    const runThere = (part: string, replacements = {}) =>
      runCommands(documented(part), { url: other.url, folder, replacements })
    try {
      await runThere('CREATE SUBSCRIPTION', old)
      await expect.poll(() => runThere('srsubstate')).toBe('')
      const { body } = await editor.send('POST', '/cal/events/v1/tags', { name: 'Replicated' })
      await app.db.venueText.updateMany({ where: { name: { startsWith: 'Salle' } }, data: { description: 'Rebuilt' } })
      await app.db.tag.delete({ where: { id: body.id - 1 } })
      await expect.poll(() => runThere('confirmed_flush_lsn', old)).toBe('')
      await runThere('DROP SUBSCRIPTION', old)
      const { tables, sequences } = await readContents(source())
      const url = databaseOf(other.url, 'restored')
      // Replication does not copy unlogged tables.
      const none = expect.stringMatching(/^0 rows/)
      expect(await readContents(url)).toEqual({ tables: { ...tables, rate_limit: none, presence: none }, sequences })
      expect(await responses(url)).toEqual(await expected())
    } finally {
      service?.child.kill('SIGKILL')
      other.drop()
    }
  })
})
