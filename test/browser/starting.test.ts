// A browser that comes while the service starts.
import fastify from 'fastify'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { createStartingPage } from '../../src/apis/pages/starting-page.ts'
import { readSettings } from '../../src/basics/env.ts'
import { listenForRequests } from '../../src/service/http/http-listener.ts'
import { findings, looks, openBrowser, overflow, visit } from '../helpers/browser.ts'
import { freePort } from '../helpers/process.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})

test.each([...looks, ['without scripts', { javaScriptEnabled: false }] as const])(
  'waits on a page, which opens the calendar by itself, %s',
  async (_, look) => {
    const port = await freePort()
    const settings = readSettings({})
    const listener = await listenForRequests(
      { host: '127.0.0.1', port },
      {},
      { startingPage: async (request) => createStartingPage(request, settings) },
    )
    const { page, complaints } = await visit(browser, `http://127.0.0.1:${port}/fr/`, look)
    expect(await page.getByRole('status').getByRole('heading').textContent()).toBe('L’agenda démarre')
    if (!('javaScriptEnabled' in look)) {
      expect(await findings(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    }
    expect(complaints.filter((text) => !text.includes('503'))).toEqual([])
    const app = fastify()
    // To the canonical address, which the script of the page may not request.
    app.get('/fr/', (_request, reply) => reply.redirect(`http://localhost:${port}/fr/month/`, 301))
    app.get('/fr/month/', (_request, reply) => reply.type('text/html').send('<h1>Juillet</h1>'))
    await listener.serve(app)
    await page.getByText('Juillet').waitFor()
    await listener.close(0)
    await app.close()
  },
)
