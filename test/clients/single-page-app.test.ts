// The app of docs/graphql.md with both clients: session, uploads, errors of a form, and live updates.
import type { ApolloClient, CombinedGraphQLErrors } from '@apollo/client'
import { type Client, gql, type TypedDocumentNode } from '@urql/core'
import { lastValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../helpers/eventually.ts'
import { createCredential, makeUser } from '../helpers/users.ts'
import { party, written } from '../helpers/write.ts'
import { type ClientTest, openClientTest, titles } from './recipes.ts'

interface List {
  readonly events: { readonly edges: readonly { readonly node: { readonly title: string } }[] }
}
interface Operations {
  readonly eventList: TypedDocumentNode<List>
  readonly eventPage: TypedDocumentNode<{ event: object | null }>
  readonly eventChanges: TypedDocumentNode<{ eventChanged: object }>
  readonly viewer: TypedDocumentNode<{ viewer: object | null }>
}
interface Session {
  readonly isSignedIn: () => boolean
  readonly signIn: (login: string, password: string) => Promise<boolean>
  readonly signOut: () => Promise<void>
}
type Mutate = (mutation: TypedDocumentNode, variables: object) => Promise<object>
interface Saved {
  readonly event: { readonly slug: string; readonly image: object | null } | null
  readonly errors: Readonly<Record<string, string>>
}
type SaveEvent = (mutate: Mutate, language: 'EN', form: FormData) => Promise<Saved>

/** What the tests do with either client. */
interface Adapter {
  readonly mutate: () => Mutate
  readonly read: <Data>(query: TypedDocumentNode<Data>, variables: object) => Promise<Data | undefined>
  /** Calls `next` with each result, until the returned function is called. */
  readonly show: (query: TypedDocumentNode<List>, variables: object, next: (data: List) => void) => () => void
  readonly follow: (
    subscription: TypedDocumentNode<{ eventChanged: object }>,
    variables: object,
    next: (change: object) => void,
  ) => () => void
  /** The code of the error with which a subscription ends. */
  readonly rejection: (subscription: TypedDocumentNode, variables: object) => Promise<unknown>
}

const adapters = {
  apollo: async (files: ClientTest): Promise<Adapter> => {
    const { client, mutate } = await files.load<{ client: ApolloClient; mutate: Mutate }>('src/apollo.ts')
    return {
      mutate: () => mutate,
      read: async (query, variables) =>
        (await client.query<never>({ query, variables, fetchPolicy: 'network-only' })).data,
      show: (query, variables, next) => {
        const shown = client.watchQuery({ query, variables }).subscribe(({ data, dataState }) => {
          if (data && dataState === 'complete') next(data)
        })
        return () => shown.unsubscribe()
      },
      follow: (query, variables, next) => {
        const followed = client.subscribe({ query, variables }).subscribe(({ data }) => data && next(data.eventChanged))
        return () => followed.unsubscribe()
      },
      rejection: async (query, variables) => {
        const { error } = await lastValueFrom(client.subscribe({ query, variables }))
        return (error as CombinedGraphQLErrors | undefined)?.errors[0]?.extensions?.code
      },
    }
  },
  urql: async (files: ClientTest): Promise<Adapter> => {
    const { clientFor, mutateBy } = await files.load<{
      clientFor: (language: string) => Client
      mutateBy: (client: Client) => Mutate
    }>('src/urql.ts')
    return {
      mutate: () => mutateBy(clientFor('EN')),
      read: async (query, variables) =>
        (await clientFor('EN').query(query, variables, { requestPolicy: 'network-only' })).data,
      show: (query, variables, next) =>
        clientFor('EN')
          .query(query, variables)
          .subscribe(({ data }) => data && next(data)).unsubscribe,
      follow: (query, variables, next) =>
        clientFor('EN')
          .subscription(query, variables)
          .subscribe(({ data }) => data && next(data.eventChanged)).unsubscribe,
      rejection: async (query, variables) =>
        (await clientFor('EN').subscription(query, variables).toPromise()).error?.graphQLErrors[0]?.extensions.code,
    }
  },
}

/** Lists are fetched again after a second or two. */

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')
const valid = { title: 'Picnic', startsLocal: '2026-12-01T12:00', endsLocal: '2026-12-01T14:00', altText: 'A blanket' }

function formOf(fields: Readonly<Record<string, string>>, file = new File([], '')): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file)
  return form
}

// Each test continues with the session of the one before.
for (const name of ['apollo', 'urql'] as const) {
  describe(`the app with ${name}`, { shuffle: false }, () => {
    let files: ClientTest
    let adapter: Adapter
    let operations: Operations
    let session: Session
    let save: (form: FormData) => Promise<Saved>
    let credentials: [login: string, password: string]

    beforeAll(async () => {
      files = await openClientTest()
      await files.writeApp()
      adapter = await adapters[name](files)
      operations = await files.load('src/operations.ts')
      session = await files.load('src/session.ts')
      const { saveEvent } = await files.load<{ saveEvent: SaveEvent }>('src/save-event.ts')
      save = (form) => saveEvent(adapter.mutate(), 'EN', form)
      const { id, login } = await makeUser(files.app.db, 'editor')
      credentials = [login, await createCredential(files.app.db, id, 'application_password')]
    })
    afterAll(() => files?.close())

    const metrics = async () => (await files.app.app.inject('/metrics')).payload

    test('passes the type checker', () => files.checkTypes())

    test('says that nobody is signed in', async () => {
      expect(await session.signIn(credentials[0], 'wrong')).toBe(false)
      expect(session.isSignedIn()).toBe(false)
      expect(await save(formOf(valid))).toEqual({ event: null, errors: { '': expect.stringMatching(/sign/i) } })
    })

    test('has the error of a rejected subscription, and neither sends it again nor refetches lists', async () => {
      const { changes } = await files.load<{ changes: EventTarget }>('src/streams.ts')
      const changed = vi.fn<() => void>()
      changes.addEventListener('change', changed)
      const fetched = vi.spyOn(globalThis, 'fetch')
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const drafts = gql`subscription ($f: EventFilter) { eventChanged(filter: $f) { type } }`
      expect(await adapter.rejection(drafts, { f: { status: ['DRAFT'] } })).toBe('BAD_INPUT')
      await vi.advanceTimersByTimeAsync(120_000)
      vi.useRealTimers()
      expect(fetched).toHaveBeenCalledTimes(1)
      expect(changed).not.toHaveBeenCalled()
      fetched.mockRestore()
    })

    test('signs in with an application password, for a token in place of the one before', async () => {
      expect(await session.signIn(...credentials)).toBe(true)
      expect(await session.signIn(...credentials)).toBe(true)
      const tokens = await files.app.db.credential.findMany({ where: { name: 'Calendar app' }, orderBy: { id: 'asc' } })
      expect(tokens.map(({ revokedAt }) => revokedAt !== null)).toEqual([true, false])
      const viewer = { name: 'The editor', rights: expect.arrayContaining(['UPLOAD', 'PUBLISH']) }
      expect(await adapter.read(operations.viewer, {})).toMatchObject({ viewer })
    })

    test('has the errors of a form by field, those of the picture too', async () => {
      const wrong = { ...valid, title: ' ', endsLocal: '2026-12-01T11:00' }
      expect((await save(formOf(wrong))).errors).toEqual({
        title: 'title must not be empty.',
        endsLocal: 'The end must not be before the start.',
      })
      const { event, errors } = await save(formOf(valid, new File(['text'], 'text.txt', { type: 'text/plain' })))
      expect([event, Object.keys(errors)]).toEqual([null, ['file']])
    })

    test('shows a new event with its picture, and the changes of others', async () => {
      const seen = vi.fn<(data: List) => void>()
      const changed = vi.fn<(change: object) => void>()
      const variables = { language: 'EN', filter: { when: 'UPCOMING' } }
      const shown = () => seen.mock.lastCall?.[0].events.edges.map(({ node }) => node.title)
      const stopShowing = adapter.show(operations.eventList, variables, seen)
      const stopFollowing = adapter.follow(operations.eventChanges, { language: 'FR' }, changed)
      await eventually(() => expect(shown()).toEqual(titles('Concert', 10)))
      await eventually(async () => expect(await metrics()).toContain('subscriptions_open 1'))

      const { event, errors } = await save(formOf(valid, new File([gif], 'dot.gif', { type: 'image/gif' })))
      expect(errors).toEqual({})
      expect(event).toMatchObject({
        slug: 'picnic',
        image: { altText: 'A blanket', url: expect.stringContaining('.gif') },
      })
      await eventually(() => expect(shown()).toContain('Picnic'))
      expect(await adapter.read(operations.eventPage, { language: 'ES', slug: 'picnic' })).toMatchObject({
        event: { contentLanguage: 'ES', translations: [{ language: 'EN', title: 'Picnic', slug: 'picnic' }] },
      })

      const other = await files.app.signIn('editor')
      await written(other, 'create', 'event', { ...party, startsLocal: '2026-11-30T20:00:00', status: 'PUBLISHED' })
      await eventually(() => expect(shown()?.[0]).toBe('Party'))
      expect(changed).toHaveBeenCalledWith(
        expect.objectContaining({ type: 'CREATED', event: expect.objectContaining({ contentLanguage: 'FR' }) }),
      )
      stopFollowing()
      stopShowing()
      await eventually(async () => expect(await metrics()).toContain('subscriptions_open 0'))
    })

    test('signs out, and when the service no longer accepts the token', async () => {
      await session.signOut()
      const { db } = files.app
      await eventually(async () => expect(await db.credential.count({ where: { revokedAt: { not: null } } })).toBe(2))
      expect(await adapter.read(operations.viewer, {})).toEqual(expect.objectContaining({ viewer: null }))

      expect(await session.signIn(...credentials)).toBe(true)
      await db.credential.updateMany({ where: { kind: 'api_token' }, data: { revokedAt: new Date() } })
      await adapter.read(operations.viewer, {}).catch(() => undefined)
      expect(session.isSignedIn()).toBe(false)
    })
  })
}
