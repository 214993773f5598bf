// A dump is restored into a server whose transactions have smaller IDs than those in the log of changes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrate } from '../../src/engine/postgres/migrate.ts'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { serve } from '../helpers/app.ts'
import { type Cluster, startCluster } from '../helpers/cluster.ts'
import { connectTo } from '../helpers/db.ts'
import { databaseOf, documented, runCommands } from '../helpers/dumps.ts'
import { administer } from '../helpers/global-setup.ts'
import { makeTag } from '../helpers/make.ts'
import { type Service, startService } from '../helpers/process.ts'

describe.runIf(inject('server'))('on a server', () => {
  let folder: string
  const clusters: Cluster[] = []
  let service: Service | undefined

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'calendar-restored-log-'))
    for (const _ of ['old', 'new']) clusters.push(await startCluster(['fsync=off']))
  })
  afterEach(async () => {
    service?.child.kill('SIGKILL')
    await service?.ended
  })
  afterAll(() => {
    for (const cluster of clusters) cluster.drop()
    rmSync(folder, { recursive: true })
  })

  async function follow(url: string, token = '') {
    const response = await fetch(`${url}/cal/events/v1/tags?hide_empty=false&sync_token=${token}`)
    return { status: response.status, body: await response.json() }
  }

  test('later changes of the same records are logged, and clients that miss entries begin again', async () => {
    const [old, other] = clusters
    if (!old || !other) throw new Error('The clusters are missing.')
    await administer(old.url, 'CREATE DATABASE calendar')
    const database = openServerDatabase(databaseOf(old.url, 'calendar'), 4)
    await migrate(database)
    const app = await serve(connectTo(database))
    const ids = [await makeTag(app.db, 'One'), await makeTag(app.db, 'Two')]
    const early = (await app.get('/cal/events/v1/tags?hide_empty=false&sync_token=')).body.sync_token
    // Many transactions, so that the other server has not assigned their IDs.
    await database.pool.query(
      'DO $$ BEGIN FOR n IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$',
    )
    for (const id of ids) await database.pool.query(`UPDATE tag_text SET name = 'Late' WHERE tag_id = $1`, [id])
    await runCommands(documented('pg_dump -Fc'), { url: old.url, folder })
    await app.close()
    await runCommands(documented('-j 4 -d restored'), { url: other.url, folder })
    service = await startService({ DATABASE_URL: databaseOf(other.url, 'restored'), SEED: 'off' })
    await service.ready()
    const restored = openServerDatabase(databaseOf(other.url, 'restored'), 2)
    try {
      const zeros = `SELECT count(*)::int AS count FROM change WHERE transaction = 0`
      const { rows } = await restored.pool.query<{ count: number }>(zeros)
      expect(rows[0]?.count).toBe(2)
      expect((await follow(service.url, early)).status).toBe(410)
      const { body } = await follow(service.url)
      expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['Late', 'Late'])
      // A change with the ID that a transaction of the old server had.
      await restored.pool.query(`DELETE FROM tag WHERE id = $1`, [ids[0]])
      const next = await follow(service.url, body.sync_token)
      expect([next.status, next.body.deleted]).toEqual([200, [ids[0]]])
    } finally {
      await restored.close()
    }
  })
})
