import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, waitTimeout } from '../../helpers/browser.ts'
import { type Editor, openEditor, tabTo } from '../../helpers/editor.ts'
import { makeCategory, makeEvent, makeVenue } from '../../helpers/make.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

/** A day that is still to come for the clock of the tests. */
const dayAfter = (days: number) => new Date(Date.UTC(2027, 0, 1 + days)).toISOString().slice(0, 10)

beforeAll(async () => {
  editor = await openEditor()
  const { db } = editor.app
  const venueIds = [await makeVenue(db, 'Public library', { city: 'Turin' })]
  const categoryIds = [await makeCategory(db, { en: 'Readings', fr: 'Lectures' })]
  await makeCategory(db, { en: 'Families', fr: 'Familles' })
  for (let number = 1; number <= 260; number++)
    await makeEvent(
      db,
      { en: `Reading ${number}`, fr: `Lecture ${number}` },
      { start: `${dayAfter(number)}T18:00:00`, venueIds, categoryIds },
    )
  for (const name of ['Chess evening', 'Puppet theatre', 'Bookbinding', 'Sewing circle'])
    await makeEvent(db, { en: name }, { start: '2026-12-20T19:00:00' })
})
afterAll(() => editor?.close())

describe('the table of events', () => {
  test('has no findings of axe, and no sideways scrolling', async () => {
    const { page, complaints, hosts } = await editor.open('/')
    await page.getByRole('link', { name: 'Chess evening' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('combobox', { name: 'Venue' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select “Chess evening”' }).check()
    await expectAccessible(page)
    expect(complaints).toEqual([])
    expect(hosts.size).toBe(1)
  })

  test('loads at most 150 KB of files', async () => {
    const { page } = await editor.open('/')
    await page.getByRole('link', { name: 'Chess evening' }).waitFor()
    const urls = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
        ({ name }) => name,
      ),
    )
    const paths = urls.map((url) => new URL(url).pathname).filter((path) => path.startsWith('/edit/'))
    const files = await Promise.all(paths.map((path) => editor.app.get(path)))
    const total = files.reduce((sum, { body }) => sum + gzipSync(body).length, 0)
    expect(total).toBeGreaterThan(50_000)
    expect(total).toBeLessThanOrEqual(150_000)
  })

  test('scrolls to the last of many events, and has rows only near the screen', async () => {
    const { page } = await editor.open('/')
    // As a busy browser does, reports several intersections of an element at once.
    await page.addInitScript(() => {
      const Observer = window.IntersectionObserver
      window.IntersectionObserver = class extends Observer {
        constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          let waiting: IntersectionObserverEntry[] = []
          super((entries, observer) => {
            if (waiting.length === 0) setTimeout(() => callback(waiting.splice(0), observer), 1000)
            waiting = [...waiting, ...entries]
          }, options)
        }
      }
    })
    await page.reload()
    await page.getByText('264 events').waitFor()
    await page.mouse.wheel(0, 100_000)
    await page.getByRole('link', { name: 'Reading 260', exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(160)
    const last = page.getByRole('row', { name: 'Reading 260 ' })
    expect(await last.getAttribute('aria-rowindex')).toBe('265')
  })

  test('keeps its filters in the address', async () => {
    const { page } = await editor.open('/')
    await page.getByRole('searchbox', { name: 'Search' }).fill('puppet')
    await page.getByText('1 event', { exact: true }).waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: 'More filters' }).click()
    await page.getByRole('combobox', { name: 'Venue' }).pressSequentially('libr')
    await page.getByRole('option', { name: 'Public library' }).click()
    await page.getByText('260 events').waitFor()
    await page.getByLabel('Languages').selectOption({ label: 'Not in Spanish' })
    await page.getByLabel('State').selectOption({ label: 'Draft' })
    await page.getByText('No events match these filters.').waitFor()
    await page.reload()
    await page.getByText('No events match these filters.').waitFor()
    const venue = page.getByRole('combobox', { name: 'Venue' })
    await expect.poll(() => venue.inputValue(), soon).toBe('Public library')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('264 events').waitFor()
  })

  test('lists what a search finds by date, and counts it once', async () => {
    const { page } = await editor.open('/')
    const requests: { readonly page: number; readonly counted?: boolean }[] = []
    page.on('request', (request) => {
      const { operationName, variables } = JSON.parse(request.postData() ?? '{}')
      if (operationName === 'EventRows' && variables.filter.search) requests.push(variables)
    })
    await page.getByRole('searchbox', { name: 'Search' }).fill('reading')
    await page.getByText('260 events').waitFor()
    const titles = page.getByRole('rowheader')
    await expect
      .poll(async () => (await titles.allInnerTexts()).slice(0, 3), soon)
      .toEqual([1, 2, 3].map((number) => expect.stringMatching(new RegExp(`^Reading ${number}\\b`))))
    await page.getByRole('columnheader', { name: 'When' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await page.mouse.wheel(0, 100_000)
    await page.getByRole('link', { name: 'Reading 260', exact: true }).waitFor()
    expect(requests.filter(({ counted }) => counted).map(({ page }) => page)).toEqual([1])
    expect(requests.some(({ page, counted }) => page > 1 && !counted)).toBe(true)
  })

  test('keeps the space after a word, and clears what is not searched for yet', async () => {
    const { page } = await editor.open('/?state=PUBLISHED')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.pressSequentially('puppet ')
    await page.getByText('1 event', { exact: true }).waitFor()
    expect(await search.inputValue()).toBe('puppet ')
    await search.fill('')
    await page.getByText('264 events').waitFor()
    await search.pressSequentially('chess')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForTimeout(1000)
    expect(await search.inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('')
  })

  test('changes several events, and undoes it', async () => {
    const { page } = await editor.open('/?search=chess')
    const row = page.getByRole('row', { name: 'Chess evening' })
    const state = async () => (await row.locator('.badges').innerText()).replaceAll('\n', ' ')
    const select = () => page.getByRole('checkbox', { name: 'Select “Chess evening”' }).check()
    await select()
    await page.getByRole('button', { name: 'Make a draft' }).click()
    await page.getByText('1 event is a draft again.').waitFor()
    await expect.poll(state, soon).toBe('Draft')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('1 event is as before.').waitFor()
    await expect.poll(state, soon).toBe('Published')
    await select()
    await page.getByRole('button', { name: 'Mark as cancelled' }).click()
    await page.getByText('1 event is marked as cancelled.').waitFor()
    await expect.poll(state, soon).toBe('Published Cancelled')
    await select()
    await page.getByRole('button', { name: 'Add a category' }).click()
    await page.getByRole('dialog').getByLabel('Category').selectOption('Families')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await row.getByText('Families').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => row.getByText('Families').count(), soon).toBe(0)
  })

  test('moves events to the trash and back by keyboard alone', async () => {
    const { page } = await editor.open('/?search=bookbinding')
    await page.getByRole('link', { name: 'Bookbinding' }).waitFor()
    await tabTo(page, 'Select “Bookbinding”')
    await page.keyboard.press('Space')
    await tabTo(page, 'Move to trash')
    await page.keyboard.press('Enter')
    await page.getByText('1 event is in the trash.').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Bookbinding' }).count(), soon).toBe(0)
    await tabTo(page, 'Undo')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Bookbinding' }).waitFor()
  })

  test('selects all that match', async () => {
    const { page } = await editor.open('/?search=reading')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('260 events selected').waitFor()
  })

  test('says what a contributor may not do', async () => {
    const { page } = await editor.open('/?search=sewing', { role: 'contributor' })
    await page.getByRole('link', { name: 'Sewing circle' }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'Select “Sewing circle”' }).isDisabled()).toBe(true)
  })
})

test('speaks French', async () => {
  const { page } = await editor.open('/?search=lecture+12', { locale: 'fr-FR' })
  await page.getByRole('heading', { name: 'Événements' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('fr')
  await page.getByRole('link', { name: 'Lecture 12', exact: true }).waitFor()
  await page.getByRole('cell', { name: 'mer. 13 janv. 2027' }).waitFor()
  await page.getByLabel('Langue', { exact: true }).selectOption({ label: 'español' })
  await page.getByRole('heading', { name: 'Eventos' }).waitFor()
})

test('leads people who are not signed in to the sign-in', async () => {
  const { page } = await editor.open('/?search=chess', { extraHTTPHeaders: {} })
  await page.waitForURL('**/sign-in?next=%2Fedit%2F%3Fsearch%3Dchess')
})

test('says that nothing is at an address', async () => {
  const { page } = await editor.open('/no-screen')
  await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
})

test('says that the service did not answer', async () => {
  const { page } = await editor.open('/no-screen')
  await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
  await page.route('**/graphql', (route) => route.abort())
  await page.getByRole('link', { name: 'Go to the events' }).click()
  await page.getByText('The service did not answer. Check your connection, then try again.').waitFor()
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'Chess evening' }).waitFor()
})

test('on a low screen, the foot of the navigation is below its links', async () => {
  const { page } = await editor.open('/')
  await page.setViewportSize({ width: 1280, height: 720 })
  const [links, foot] = [page.getByRole('navigation'), page.getByRole('region', { name: 'Your account' })]
  const bottom = await links.evaluate((element) => element.getBoundingClientRect().bottom)
  expect(await foot.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(bottom)
})
