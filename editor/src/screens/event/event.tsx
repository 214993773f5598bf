import { useEffect, useRef, useState } from 'react'
import { type CombinedError, useClient } from 'urql'
import { useLocation, useParams } from 'wouter'
import { Screen } from '../../components/screen.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import type { FormEventFragment } from '../../gql/graphql.ts'
import { useSession } from '../../session.tsx'
import { EventForm } from './event-form.tsx'
import { useEventMessages } from './messages/messages.ts'
import { openNewEvent } from './new-event-place.ts'
import { readEvent } from './requests.ts'
import type { Place } from './storage.ts'
import './event.css'

/** The form of a new event, or of the one in the address. A new event that saved itself keeps its form, and gets an address. */
export function EventScreen() {
  const { databaseId = 'new' } = useParams()
  const [, navigate] = useLocation()
  const created = useRef('')
  const [shown, setShown] = useState({ address: databaseId, start: databaseId, version: 0 })
  if (databaseId !== shown.address) {
    const isSameForm = databaseId === created.current
    setShown({
      address: databaseId,
      start: isSameForm ? shown.start : databaseId,
      version: isSameForm ? shown.version : shown.version + 1,
    })
  }
  const onCreated = (id: number) => {
    created.current = String(id)
    navigate(`/events/${id}`, { replace: true })
  }
  return shown.start === 'new' ? (
    <NewEvent key={shown.version} onCreated={onCreated} />
  ) : (
    <StoredEvent
      key={shown.version}
      id={shown.start}
      onCreated={onCreated}
      onRetry={() => setShown({ ...shown, version: shown.version + 1 })}
    />
  )
}

function NewEvent({ onCreated }: Pick<Props, 'onCreated'>) {
  const { viewer } = useSession()
  const [place, setPlace] = useState<Place>()
  useEffect(() => {
    let isCurrent = true
    const opening = openNewEvent(viewer.id)
    opening.then(({ place }) => isCurrent && setPlace(place))
    return () => {
      isCurrent = false
      opening.then(({ release }) => release())
    }
  }, [viewer.id])
  return place ? <EventForm keptAs={place.event} onCreated={onCreated} /> : <Loading />
}

interface Props {
  readonly id: string
  readonly onCreated: (id: number) => void
  readonly onRetry: () => void
}

function StoredEvent({ id, onCreated, onRetry }: Props) {
  const client = useClient()
  const texts = useEventMessages()
  const [result, setResult] = useState<{ event?: FormEventFragment | null; error?: CombinedError | undefined }>()
  useEffect(() => {
    let isCurrent = true
    readEvent(client, id).then(({ data, error }) => {
      if (isCurrent) setResult({ event: data?.event ?? null, error })
    })
    return () => {
      isCurrent = false
    }
  }, [client, id])
  if (!result) return <Loading />
  if (result.event) {
    const { event } = result
    return <EventForm loaded={event} keptAs={String(event.databaseId)} onCreated={onCreated} />
  }
  return (
    <Screen title={texts.untitled}>
      {result.error ? (
        <Failure error={result.error} onRetry={onRetry} />
      ) : (
        <Empty>
          <p>{texts.missing}</p>
        </Empty>
      )}
    </Screen>
  )
}
