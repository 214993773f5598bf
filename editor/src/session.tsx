import { createContext, type ReactNode, useContext } from 'react'
import { useQuery } from 'urql'
import { Failure, Loading } from './components/states.tsx'
import { type UserRight, ViewerDocument, type ViewerQuery } from './gql/graphql.ts'
import { signInUrl } from './graphql/client.ts'

type Session = ViewerQuery & { readonly viewer: NonNullable<ViewerQuery['viewer']> }

const SessionContext = createContext<Session | undefined>(undefined)

/** The user who is signed in, and the site. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider.')
  return session
}

/** Whether the user has a right. The service checks it with each write; the editor only hides what would be refused. */
export const useRight = (right: UserRight): boolean => useSession().viewer.rights?.includes(right) ?? false

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [{ data, error }, retry] = useQuery({ query: ViewerDocument })
  if (error) return <Failure error={error} onRetry={() => retry({ requestPolicy: 'network-only' })} />
  if (!data) return <Loading />
  const { viewer, site } = data
  if (!viewer) {
    location.replace(signInUrl())
    return <Loading />
  }
  return <SessionContext value={{ viewer, site }}>{children}</SessionContext>
}
