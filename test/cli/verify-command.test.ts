// The command verify-site as a process: exit codes, output and errors.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { runCommands, startCli } from '../helpers/process.ts'
import { listen, type Site } from '../helpers/sites.ts'

let app: TestApp
let legacy: Site
let ours: Site
let changed: Site

beforeAll(async () => {
  app = await openTestApp()
  await makeEvent(app.db, 'Choir')
  ;[legacy, ours, changed] = [await listen(app.app), await listen(app.app), await listen(app.app)]
})
afterAll(async () => {
  await Promise.all([legacy?.close(), ours?.close(), changed?.close()])
  await app?.close()
})

const root = ({ url }: Site) => `${url}/cal/events/v1`

test('the exit code is 0 without differences, 1 with unexplained ones and for arguments that are not valid, 2 if a site does not respond', async () => {
  changed.change(({ body }) => body.events?.map((event) => Object.assign(event, { title: 'Chorus' })))
  const verify = ['verify-site', root(legacy), root(changed), '--sample', '60']
  const [same, other, report, address, languages] = await runCommands({}, [
    ['verify-site', root(legacy), root(ours), '--sample', '60'],
    verify,
    [...verify, '--json'],
    ['verify-site', 'example.org', root(ours)],
    ['verify-site', root(legacy), root(ours), '--languages', 'fr'],
  ])
  expect([same?.code, same?.err]).toEqual([0, ''])
  expect(same?.out).toMatch(/\d+ requests: no unexplained difference\n$/)
  expect([other?.code, other?.err]).toEqual([1, ''])
  expect(other?.out).toMatch(
    /^Unexplained differences:\ncount +field +what .*\n\d+ +event\.title +value +"Choir" +"Chorus" +\/events/,
  )
  expect(JSON.parse(report?.out ?? '')).toMatchObject({ unexplained: [{ field: 'event.title', what: 'value' }] })

  const closed = await listen(app.app)
  await closed.close()
  const gone = await startCli({}, 'verify-site', root(legacy), root(closed)).done
  expect([gone.code, gone.out]).toEqual([2, ''])
  expect(gone.err).toMatch(new RegExp(`^${closed.url}/.*ECONNREFUSED.*\\n$`))

  expect([address?.code, address?.err]).toEqual([1, expect.stringMatching(/Give an http:\/\/ or https:\/\/ URL/)])
  expect([languages?.code, languages?.err]).toEqual([1, expect.stringMatching(/fr=https/)])
})
