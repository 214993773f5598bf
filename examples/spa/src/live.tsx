// Live updates: the subscription writes changed events into the cache, and lists load again.
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useSubscription } from 'urql'
import { graphql } from './gql/gql.ts'
import type { EventChangedSubscription } from './gql/graphql.ts'
import { liveConnection } from './graphql/client.ts'
import { useMessages } from './languages.ts'

const eventChanged = graphql(`
  subscription EventChanged {
    eventChanged {
      type
      eventId
      event {
        ...EventCard
      }
    }
  }
`)

/** Milliseconds between two reloads of a list, so that an import of many events does not cause one each. */
const reloadInterval = 1500

const VersionContext = createContext(0)

/** A number that grows when events changed. */
export const useLiveVersion = (): number => useContext(VersionContext)

export function LiveUpdates({ children }: { readonly children: ReactNode }) {
  const messages = useMessages()
  const [version, setVersion] = useState(0)
  const [text, setText] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [{ data }] = useSubscription({ query: eventChanged })
  const change = data?.eventChanged

  useEffect(() => {
    if (!change) return
    setText(changeText(change, messages))
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      setVersion((before) => before + 1)
    }, reloadInterval)
  }, [change, messages])

  useEffect(() => {
    const reload = () => setVersion((before) => before + 1)
    liveConnection.addEventListener('reconnected', reload)
    return () => liveConnection.removeEventListener('reconnected', reload)
  }, [])

  useEffect(() => {
    if (text === '') return
    const hide = setTimeout(() => setText(''), 6000)
    return () => clearTimeout(hide)
  }, [text])

  return (
    <VersionContext value={version}>
      {children}
      <div className="toast" role="status">
        {text && <p>{text}</p>}
      </div>
    </VersionContext>
  )
}

function changeText(
  { type, event }: EventChangedSubscription['eventChanged'],
  { live }: ReturnType<typeof useMessages>,
): string {
  if (!event) return live.deleted
  return type === 'CREATED' ? live.created(event.title) : live.updated(event.title)
}
