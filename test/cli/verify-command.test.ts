// The command verify-site as a process: exit codes, output and errors.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { runCommands, startCli } from '../helpers/process.ts'
import { listen, type Site } from '../helpers/sites.ts'

let app: TestApp
let legacy: Site
let ours: Site

beforeAll(async () => {
  app = await openTestApp()
  await makeEvent(app.db, 'Choir')
  ;[legacy, ours] = [await listen(app.app), await listen(app.app)]
})
afterAll(async () => {
  await Promise.all([legacy?.close(), ours?.close()])
  await app?.close()
})

const root = ({ url }: Site) => `${url}/cal/events/v1`

test('the exit code is 0 without differences, 1 with unexplained ones, 2 if a site does not respond', async () => {
  const same = await startCli({}, 'verify-site', root(legacy), root(ours), '--sample', '60').done
  expect([same.code, same.err]).toEqual([0, ''])
  expect(same.out).toMatch(/\d+ requests: no unexplained difference\n$/)

  ours.change(({ body }) => body.events?.map((event) => Object.assign(event, { title: 'Chorus' })))
  const verify = ['verify-site', root(legacy), root(ours), '--sample', '60']
  const [other, report] = await runCommands({}, [verify, [...verify, '--json']])
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
})

test('arguments that are not valid fail with what would be valid', async () => {
  const [address, languages] = await runCommands({}, [
    ['verify-site', 'example.org', root(ours)],
    ['verify-site', root(legacy), root(ours), '--languages', 'fr'],
  ])
  expect([address?.code, address?.err]).toEqual([1, expect.stringMatching(/Give an http:\/\/ or https:\/\/ URL/)])
  expect([languages?.code, languages?.err]).toEqual([1, expect.stringMatching(/fr=https/)])
})
