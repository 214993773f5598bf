import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { Dialog } from './components/dialog.tsx'
import { Failure, Loading } from './components/states.tsx'
import { type UserRight, ViewerDocument, type ViewerQuery } from './gql/graphql.ts'
import { client, isSignedOut, listenForSignOut, signInUrl } from './graphql/client.ts'
import { useMessages } from './messages.ts'
import { basePath } from './site.ts'

type Session = ViewerQuery & { readonly viewer: NonNullable<ViewerQuery['viewer']> }

const SessionContext = createContext<Session | undefined>(undefined)

/** The user who is signed in, and the site. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider.')
  return session
}

const EndedContext = createContext(false)

/** Whether the session has ended, and nobody has signed in again yet. */
export const useHasEnded = (): boolean => useContext(EndedContext)

/** Whether the user has a right. The service checks it with each write; the editor only hides what would be refused. */
export const useRight = (right: UserRight): boolean => useSession().viewer.rights?.includes(right) ?? false

const isSession = (data: ViewerQuery | undefined): data is Session => data?.viewer != null

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [{ data, error }, read] = useQuery({ query: ViewerDocument })
  const current = isSession(data) ? data : undefined
  /** When it ends, the screen stays as it is, with what was typed. */
  const [last, setLast] = useState<Session>()
  const [hasEnded, setEnded] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useEffect(
    () =>
      listenForSignOut(() => {
        setEnded(true)
        setAsking(true)
      }),
    [],
  )
  useEffect(() => {
    /** Somebody came back, perhaps from a tab in which somebody signed in. */
    const onFocus = async () => {
      const { data } = await client.query(ViewerDocument, {}, { requestPolicy: 'network-only' })
      if (!data?.viewer) return
      setEnded(false)
      setAsking(false)
    }
    window.addEventListener('focus', onFocus)
    return () => window.removeEventListener('focus', onFocus)
  }, [])
  /** Somebody else signed in. What the first person has open, typed or read is not for them. */
  const isOther = current !== undefined && last !== undefined && current.viewer.id !== last.viewer.id
  useEffect(() => {
    // The form is closed by now, and does not ask whether to leave it.
    if (isOther) location.reload()
    else if (current) setLast(current)
  }, [current, isOther])
  if (isOther) return <Loading />
  const session = current ?? last
  if (session)
    return (
      <SessionContext value={session}>
        <EndedContext value={hasEnded}>
          {children}
          {isAsking && <SignInAgain onClose={() => setAsking(false)} />}
        </EndedContext>
      </SessionContext>
    )
  if (error && !isSignedOut(error))
    return <Failure error={error} onRetry={() => read({ requestPolicy: 'network-only' })} />
  if (error || data?.viewer === null) location.replace(signInUrl())
  return <Loading />
}

function SignInAgain({ onClose }: { readonly onClose: () => void }) {
  const { signedOut: texts } = useMessages()
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <p>{texts.text}</p>
      <div className="actions">
        <a className="button primary" href={signInUrl(`${basePath}/edit/`)} target="_blank" rel="noreferrer">
          {texts.signIn}
        </a>
      </div>
    </Dialog>
  )
}
