// Tests that follow each other share a browser context. Nothing of the last test may be in it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, visit } from '../helpers/browser.ts'

let address: string
/** Paths and cookies of all requests. */
const requests: string[] = []
const server = createServer(({ url, headers }, response) => {
  requests.push(`${url} ${headers.cookie ?? ''} ${headers.authorization ?? ''}`.trim())
  if (url === '/style.css') response.setHeader('cache-control', 'max-age=31536000, immutable').end('')
  else
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><link rel="stylesheet" href="style.css"><p>Page')
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => void server.close())

const past = new Date('2001-02-03T04:05:06Z')

test.each([
  ['first', { extraHTTPHeaders: { authorization: 'first' } }, past],
  ['second', {}, undefined],
] as const)('the %s test finds no data, and leaves some', async (_name, options, now) => {
  requests.length = 0
  const { page, complaints } = await visit(await openBrowser(), address, options, now)
  expect(requests.filter((request) => !request.includes('favicon'))).toEqual(
    ['/', '/style.css'].map((path) => (now ? `${path}  first` : path)),
  )
  const found = await page.evaluate(async () => ({
    year: new Date().getFullYear(),
    cookie: document.cookie,
    stored: [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length],
    width: innerWidth,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
  }))
  expect(found).toEqual({
    year: (now ?? new Date()).getFullYear(),
    cookie: '',
    stored: [0, 0, 0],
    width: 1280,
    dark: false,
  })
  expect(complaints).toEqual([])
  await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: as pages of the service do.
    document.cookie = 'left=behind; max-age=3600'
    localStorage.setItem('left', 'behind')
    sessionStorage.setItem('left', 'behind')
    await new Promise((resolve) => Object.assign(indexedDB.open('left'), { onsuccess: resolve }))
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
})
