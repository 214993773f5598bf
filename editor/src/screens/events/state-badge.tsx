import type { EventStatus, RecordStatus } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'

interface Props {
  readonly status: RecordStatus
  readonly eventStatus: EventStatus
}

/** The state of an event in words: whether visitors see it, and what is unusual about it. */
export function StateBadge({ status, eventStatus }: Props) {
  const messages = useMessages()
  return (
    <span className="badges">
      <span className={`badge ${status.toLowerCase()}`}>
        {messages.recordStatus[status as keyof typeof messages.recordStatus]}
      </span>
      {eventStatus !== 'SCHEDULED' && <span className="badge warning">{messages.eventStatus[eventStatus]}</span>}
    </span>
  )
}
