import { useState } from 'react'
import { useClient } from 'urql'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatSpan } from '../../dates.ts'
import {
  ChangeEventDocument,
  type PendingEventFragment,
  RestoreEventDocument,
  ReturnEventDocument,
  TrashEventDocument,
  type UpdateEventInput,
} from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { tagOf } from '../../site.ts'
import { plainText } from './differences.ts'
import { useQueueMessages } from './messages/messages.ts'
import { ReturnDialog } from './return-dialog.tsx'

interface Props {
  readonly event: PendingEventFragment
  readonly onDecided: () => void
}

/** An event of a contributor, which somebody else publishes. */
export function PendingEventCard({ event, onDecided }: Props) {
  const messages = useMessages()
  const texts = useQueueMessages()
  const client = useClient()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const [isReturning, setReturning] = useState(false)
  const { id, title } = event

  const setStatus = (status: UpdateEventInput['status']) =>
    client
      .mutation(ChangeEventDocument, { input: { id, status, scope: 'BY_FIELD' } })
      .then(({ data, error }) => problemOf(data?.updateEvent?.userErrors, error, messages))
  const returnEvent = (message: string) =>
    client
      .mutation(ReturnEventDocument, { input: { id, message } })
      .then(({ data, error }) => problemOf(data?.returnEvent?.userErrors, error, messages))
  const trash = () =>
    client
      .mutation(TrashEventDocument, { input: { id } })
      .then(({ data, error }) => problemOf(data?.trashEvent?.userErrors, error, messages))
  const restore = () =>
    client
      .mutation(RestoreEventDocument, { input: { id } })
      .then(({ data, error }) => problemOf(data?.restoreEvent?.userErrors, error, messages))

  async function decide(
    change: () => PromiseLike<ProblemText | undefined>,
    text: string,
    takeBack: () => PromiseLike<ProblemText | undefined>,
  ): Promise<ProblemText | undefined> {
    setBusy(true)
    const problem = await change()
    setBusy(false)
    if (problem !== undefined) return problem
    onDecided()
    const undo = async () => {
      const failed = await takeBack()
      if (failed !== undefined) toast({ text: failed, isError: true })
    }
    toast({ text, undo })
    return undefined
  }

  async function decideAtOnce(...decision: Parameters<typeof decide>) {
    const problem = await decide(...decision)
    if (problem !== undefined) toast({ text: problem, isError: true })
  }

  const toPending = () => setStatus('PENDING')
  const actions = [
    { name: texts.publish, run: () => decideAtOnce(() => setStatus('PUBLISHED'), texts.published(title), toPending) },
    { name: texts.back, run: () => setReturning(true) },
    { name: texts.trash, run: () => decideAtOnce(trash, texts.trashed(title), restore) },
  ]
  return (
    <li className="card">
      <div className="card-main">
        <h3 lang={tagOf(event.contentLanguage)}>
          <Link href={`/events/${event.databaseId}`}>{title}</Link>
        </h3>
        <p className="soft">
          {[
            formatSpan(event.startsLocal, event.endsLocal, event.allDay ?? false),
            event.series?.words,
            ...event.venues.map(({ name }) => name),
            event.author && texts.by(event.author.name),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="queue-text">{plainText(event.excerpt || event.description || '')}</p>
      </div>
      <div className="actions">
        {actions.map(({ name, run }, index) => (
          <Button
            key={name}
            look={index === 0 ? 'primary' : 'plain'}
            aria-label={texts.of(name, title)}
            disabled={isBusy || !event.viewerCanUpdate}
            onClick={run}
          >
            {name}
          </Button>
        ))}
      </div>
      {isReturning && (
        <ReturnDialog
          title={title}
          onClose={() => setReturning(false)}
          onReturn={async (message) => {
            const problem = await decide(() => returnEvent(message), texts.returned(title), toPending)
            if (problem === undefined) setReturning(false)
            return problem
          }}
        />
      )}
    </li>
  )
}
