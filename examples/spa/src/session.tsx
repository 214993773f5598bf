// The user who is signed in. The credential stays in this tab: sessionStorage ends with it.
import type { Client } from '@urql/core'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { graphql } from './gql/gql.ts'
import type { ViewerQuery } from './gql/graphql.ts'
import { createClient } from './graphql/client.ts'
import { english, type Language } from './languages.ts'

type Viewer = NonNullable<ViewerQuery['viewer']>

interface Session {
  readonly authorization: string | undefined
  readonly viewer: Viewer | undefined
  /** The client of a language. Clients live until another user signs in. */
  clientFor(language: Language): Client
  signIn(login: string, password: string): Promise<'ok' | 'wrong' | 'failed'>
  signOut(): void
}

const viewerQuery = graphql(`
  query Viewer {
    viewer {
      id
      name
      rights
    }
  }
`)

interface Stored {
  readonly authorization: string
  readonly viewer: Viewer
}

const storageKey = 'calendar-session'

function readStored(): Stored | undefined {
  const text = sessionStorage.getItem(storageKey)
  return text === null ? undefined : (JSON.parse(text) as Stored)
}

/** The header of HTTP Basic, whose text is UTF-8. */
const basic = (login: string, password: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${login}:${password}`)))}`

const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider.')
  return session
}

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [stored, setStored] = useState(readStored)
  const authorization = stored?.authorization

  const signOut = useCallback(() => {
    sessionStorage.removeItem(storageKey)
    setStored(undefined)
  }, [])

  const clientFor = useMemo(() => {
    const clients = new Map<string, Client>()
    return (language: Language) => {
      const client = clients.get(language.tag) ?? createClient(language, authorization, signOut)
      clients.set(language.tag, client)
      return client
    }
  }, [authorization, signOut])

  const signIn = useCallback(async (login: string, password: string) => {
    const header = basic(login, password)
    let isRejected = false
    const client = createClient(english, header, () => {
      isRejected = true
    })
    const { data } = await client.query(viewerQuery, {}).toPromise()
    if (!data?.viewer) return isRejected ? 'wrong' : 'failed'
    const next = { authorization: header, viewer: data.viewer }
    sessionStorage.setItem(storageKey, JSON.stringify(next))
    setStored(next)
    return 'ok'
  }, [])

  const session = useMemo(
    () => ({ authorization, viewer: stored?.viewer, clientFor, signIn, signOut }),
    [authorization, stored, clientFor, signIn, signOut],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}
