// The audits of the GraphQL over HTTP specification, with and without credentials.
import type { AddressInfo } from 'node:net'
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
let url: string
const authorizations: Record<string, string | undefined> = {}

beforeAll(async () => {
  app = await openTestApp()
  authorizations['an editor'] = (await app.signIn('editor')).authorization
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}/graphql`
})
afterAll(() => app?.close())

describe.each(['a visitor', 'an editor'])('for %s', (who) => {
  const fetchFn = (input: string, { headers, ...init }: RequestInit = {}) => {
    const authorization = authorizations[who]
    return fetch(input, {
      ...init,
      headers: { ...headers, ...(authorization ? { authorization } : {}) } as HeadersInit,
    })
  }
  const audits = serverAudits({ url: () => url, fetchFn })
  test.each(audits.map(({ id, name }) => [id, name]))('%s %s', async (id) => {
    const result = await audits.find((audit) => audit.id === id)?.fn()
    expect(result).toMatchObject({ status: 'ok' })
  })
})
