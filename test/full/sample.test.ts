// The sample and the real events: all links work, and pages have the structured data that search engines require.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadRealEvents } from '../../bench/real-events/load.ts'
import { loadSample, storeSamplePictures } from '../../src/tools/sample/town.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { crawl } from '../helpers/links.ts'

describe.each([
  ['the sample', loadSample, 43, 300],
  ['the real events', loadRealEvents, 401, 3000],
] as const)('%s', (_name, load, events, pages) => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-sample-'))
  let app: TestApp

  beforeAll(async () => {
    app = await openTestApp({ PER_PAGE_DEFAULT: '50', IMAGES_DIR: folder })
    await storeSamplePictures(folder)
    await app.db.$transaction((tx) => load(tx, app.settings, now), { timeout: 60_000 })
  })
  afterAll(async () => {
    await app?.close()
    rmSync(folder, { recursive: true })
  })

  test('every link works', async () => {
    const { seen, broken } = await crawl(app)
    expect(broken).toEqual([])
    expect(seen.size).toBeGreaterThan(pages)
  })

  test('every event page has the structured data that search engines require', async () => {
    let checked = 0
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = `{ eventsPage(page: ${page}, perPage: 50) { totalPages items { url attendanceMode } } }`
      const { body } = await app.graphql(query)
      pages = body.data.eventsPage.totalPages
      for (const { url, attendanceMode } of body.data.eventsPage.items) {
        const isOnline = attendanceMode === 'ONLINE'
        const { body: html } = await app.get(url.replace('http://calendar.test', ''))
        const jsonLd = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}')
        expect(jsonLd, url).toMatchObject({
          '@type': 'Event',
          name: expect.stringMatching(/\S/),
          startDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/),
          location: isOnline
            ? { '@type': 'VirtualLocation', url: expect.stringMatching(/^https:/) }
            : { '@type': 'Place', name: expect.stringMatching(/\S/), address: { '@type': 'PostalAddress' } },
        })
        checked++
      }
    }
    expect(checked).toBe(events)
  })
})
