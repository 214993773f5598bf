// The recipes for subscriptions of docs/graphql.md, and urql's own reader of subscriptions.
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import type { ApolloLink } from '@apollo/client/link'
import { Client, fetchExchange, gql } from '@urql/core'
import { parse } from 'graphql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { party, written } from '../helpers/write.ts'
import { type ClientTest, openClientTest, recipe } from './recipes.ts'

interface Recipe {
  readonly follow: (
    query: string,
    variables: Record<string, unknown>,
    handlers: { onResult: (data: unknown) => void; refetch: () => void },
  ) => () => void
}

const query = 'subscription { eventChanged { type event { id contentLanguage title } } }'

let files: ClientTest
let module: Recipe

beforeAll(async () => {
  files = await openClientTest()
  files.write('src/follow.ts', files.addressed(recipe('ts', 'readonly refetch')))
  files.write('src/apollo-link.ts', files.addressed(recipe('ts', "from '@apollo/client/link'")))
  module = await files.load<Recipe>('src/follow.ts')
})
afterAll(() => files?.close())

test('the recipes pass the type checker', () => files.checkTypes())

test('the recipe fetches again when it is connected and when changes were missed, and shows changes', async () => {
  const editor = await files.app.signIn('editor')
  const onResult = vi.fn()
  const refetch = vi.fn()
  const stop = module.follow(query, {}, { onResult, refetch })
  await vi.waitFor(() => expect(refetch).toHaveBeenCalledTimes(1))
  await written(editor, 'create', 'event', { ...party, status: 'PUBLISHED' })
  await vi.waitFor(() => expect(onResult).toHaveBeenCalledTimes(1))
  expect(onResult.mock.lastCall?.[0]).toMatchObject({ eventChanged: { type: 'CREATED', event: { title: 'Party' } } })
  // The notification of the triggers for more than 100 changed events.
  await files.app.db.$executeRaw`NOTIFY calendar_changes, 'event'`
  await vi.waitFor(() => expect(refetch).toHaveBeenCalledTimes(2), { timeout: 600_000 })
  await written(editor, 'create', 'event', { ...party, title: 'Ball', status: 'PUBLISHED' })
  await vi.waitFor(() => expect(onResult).toHaveBeenCalledTimes(2))
  stop()
})

test('the link for Apollo Client sends subscriptions as streams, and other operations by HTTP', async () => {
  const editor = await files.app.signIn('editor')
  const { withSubscriptions } = await files.load<{ withSubscriptions: (http: ApolloLink) => ApolloLink }>(
    'src/apollo-link.ts',
  )
  const http = new HttpLink({ uri: files.addressed('http://localhost:4000/graphql') })
  const client = new ApolloClient({ link: withSubscriptions(http), cache: new InMemoryCache() })
  const seen: unknown[] = []
  const subscription = client
    .subscribe<{ eventChanged: { event: { title: string } | null } }>({ query: parse(query) })
    .subscribe(({ data }) => seen.push(data?.eventChanged.event?.title))
  const metrics = async () => (await files.app.app.inject('/metrics')).payload
  await vi.waitFor(async () => expect(await metrics()).toContain('subscriptions_open 1'))
  await written(editor, 'create', 'event', { ...party, title: 'Soirée', status: 'PUBLISHED' })
  await vi.waitFor(() => expect(seen).toEqual(['Soirée']))
  const { data } = await client.query({ query: parse('{ site { name } }') })
  expect(data).toMatchObject({ site: { name: expect.any(String) } })
  subscription.unsubscribe()
  await vi.waitFor(async () => expect(await metrics()).toContain('subscriptions_open 0'))
  client.stop()
})

test('urql reads subscriptions with fetchSubscriptions', async () => {
  const editor = await files.app.signIn('editor')
  const url = files.addressed('http://localhost:4000/graphql')
  const client = new Client({ url, exchanges: [fetchExchange], fetchSubscriptions: true, preferGetMethod: false })
  const titles: unknown[] = []
  const { unsubscribe } = client.subscription(gql(query), {}).subscribe(({ data }) => {
    titles.push(data?.eventChanged.event?.title)
  })
  const open = async () => (await files.app.app.inject('/metrics')).payload
  await vi.waitFor(async () => expect(await open()).toContain('subscriptions_open 1'))
  await written(editor, 'create', 'event', { ...party, title: 'Gala', status: 'PUBLISHED' })
  await vi.waitFor(() => expect(titles).toEqual(['Gala']))
  unsubscribe()
  await vi.waitFor(async () => expect(await open()).toContain('subscriptions_open 0'))
})
