// import-site killed ten times, and import once: the result is that of a run without interruption.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import {
  type LegacySite,
  legacyEvent,
  legacyOrganizer,
  legacyTerm,
  legacyVenue,
  startLegacySite,
} from '../helpers/legacy-site.ts'
import { runCli, startCli } from '../helpers/process.ts'

const kills = 10
const eventsBetweenKills = 30

let folder: string
let site: LegacySite

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-import-kills-'))
  const venues = [1, 2, 3].map((id) => legacyVenue(id))
  const organizers = [11, 12].map((id) => legacyOrganizer(id))
  const categories = [21, 22].map((id) => legacyTerm(id))
  const events = Array.from({ length: (kills + 2) * eventsBetweenKills }, (_, index) =>
    legacyEvent(1000 + index, {
      venue: venues[index % 3],
      organizer: organizers,
      categories: [categories[index % 2]],
      image: index % 5 === 0 ? { id: 5000 + index, url: `/uploads/${index}.png` } : false,
    }),
  )
  const french = events.map((event) => ({ ...event, title: `Événement ${event.id}`, slug: `evenement-${event.id}` }))
  site = await startLegacySite({ en: { events, venues, organizers, categories }, fr: { events: french } })
})
afterAll(async () => {
  await site?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('imports that were killed end with the same records as those without interruption', async () => {
  const importInto = (name: string, url: string) => {
    const env = { DATABASE_URL: url, IMAGES_DIR: join(folder, `${name}-images`), IMAGE_PRIVATE_HOSTS: '127.0.0.1' }
    return startCli(env, 'import-site', site.root, '--languages', `fr=${site.rootOf('fr')}`, '--json')
  }
  const exported = async (name: string, url: string) => {
    const env = { DATABASE_URL: url, IMAGES_DIR: join(folder, `${name}-images`) }
    const { code, out } = await startCli(env, 'export', '-').done
    expect(code).toBe(0)
    return out
  }
  const killed = await emptyDatabaseUrl(join(folder, 'killed'))
  for (let kill = 0; kill < kills; kill++) {
    let asked = 0
    const { child, done } = importInto('killed', killed.url)
    site.odd = (url) => {
      if (/\/events\/\d+$/.test(url.pathname) && ++asked === eventsBetweenKills) child.kill('SIGKILL')
      return undefined
    }
    expect((await done).code).toBe('SIGKILL')
  }
  site.odd = () => undefined
  const last = JSON.parse((await importInto('killed', killed.url).done).out)
  const { created, unchanged } = last.counts.event
  expect([created + unchanged, last.skipped, last.notes]).toEqual([(kills + 2) * eventsBetweenKills, [], []])
  expect(unchanged).toBeGreaterThan(kills * (eventsBetweenKills - 5))
  const again = JSON.parse((await importInto('killed', killed.url).done).out)
  expect(again.counts.event).toMatchObject({ created: 0, updated: 0, unchanged: (kills + 2) * eventsBetweenKills })

  const whole = await emptyDatabaseUrl(join(folder, 'whole'))
  expect((await importInto('whole', whole.url).done).code).toBe(0)
  const exportOfWhole = await exported('whole', whole.url)
  expect(comparable(await exported('killed', killed.url))).toEqual(comparable(exportOfWhole))
  await killed.drop()
  await whole.drop()

  // The import of an export is killed within its transaction, in which it stores images.
  const moved = await emptyDatabaseUrl(join(folder, 'moved'))
  const env = { DATABASE_URL: moved.url, IMAGES_DIR: join(folder, 'moved-images') }
  const importing = runCli(env, ['import', '-'], exportOfWhole)
  while (!existsSync(env.IMAGES_DIR) && importing.child.exitCode === null) await setTimeout(5)
  importing.child.kill('SIGKILL')
  await importing.done
  const { code, out, err } = await runCli(env, ['import', '-'], exportOfWhole).done
  // On a busy machine the import may be complete before the kill.
  expect([code, out, err]).toEqual(
    code === 0
      ? [0, expect.stringContaining('Imported 360 events, '), '']
      : [1, '', expect.stringMatching(/^The database is not empty, it contains .*\b360 events\b/)],
  )
  expect(comparable(await exported('moved', moved.url))).toEqual(comparable(exportOfWhole))
  await moved.drop()
})

/** The records of an export; without what each run chooses, such as the IDs of users, slots of sequences, and times of terms. */
function comparable(ndjson: string): string[] {
  const lines = ndjson.split('\n')
  const records = lines.filter((line) => /^\{"(event|venue|organizer|category|event_\w+|category_\w+)"/.test(line))
  return records.map((line) =>
    line.startsWith('{"category_text"') ? line.replace(/"revised_at":"[^"]*"/, '"revised_at":""') : line,
  )
}
