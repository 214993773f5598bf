// Sends random requests and checks general properties of the responses.
import fc from 'fast-check'
import { expect } from 'vitest'
import { createSchema } from '../../src/schema.ts'
import { openTestApp, type TestApp } from './app.ts'
import { graphRequest, restRequest } from './fuzz.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from './make.ts'

type Who = Pick<TestApp, 'get' | 'send' | 'graphql'>

export async function openFuzzed(): Promise<{ app: TestApp; editor: Who }> {
  const app = await openTestApp({ QUERY_COST_MAX: '1000000' })
  const { db } = app
  const [categoryIds, tagIds] = [[await makeCategory(db, 'Music')], [await makeTag(db, 'free')]]
  await makeEvent(db, { en: 'Party', fr: 'Fête' }, { categoryIds, tagIds })
  await makeVenue(db, 'Hall')
  await makeOrganizer(db, 'Club')
  return { app, editor: await app.signIn('editor') }
}

/** Whether the request would fetch an image from another host. */
const fetches = (value: unknown) => /imageUrl|"image"|image=/.test(JSON.stringify(value))

export const fuzzRest = (who: () => Who, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(restRequest, async ({ method, url, payload }) => {
      fc.pre(!fetches([url, payload]))
      // The client validates every response against /doc.
      const reply = method === 'GET' ? await who().get(url) : await who().send(method, url, payload)
      expect(reply.status, JSON.stringify(reply.body).slice(0, 300)).toBeLessThan(500)
    }),
    { numRuns, endOnFailure: true },
  )

export const fuzzGraph = (who: () => Who, numRuns: number) =>
  fc.assert(
    fc.asyncProperty(graphRequest(createSchema(['en', 'fr', 'es'])), async ({ query, variables }) => {
      fc.pre(!fetches(variables))
      const { status, body } = await who().graphql(query, variables)
      expect(status, JSON.stringify(body).slice(0, 300)).toBeLessThan(500)
      const codes = (body.errors ?? []).map(({ extensions }: { extensions?: { code?: string } }) => extensions?.code)
      expect(codes, JSON.stringify(body.errors)?.slice(0, 600)).not.toContain('INTERNAL')
    }),
    { numRuns, endOnFailure: true },
  )
