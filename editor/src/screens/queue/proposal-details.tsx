import { useState } from 'react'
import { useClient } from 'urql'
import { Link, useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { useIsOpen } from '../../components/use-is-open.ts'
import {
  AcceptProposalDocument,
  type AcceptProposalInput,
  type ProposalCardFragment,
  type SeriesScope,
} from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { AnswerDialog } from './answer-dialog.tsx'
import { DifferenceTable } from './difference-table.tsx'
import { differencesOf, fieldsOf, firstPublished, type Group, titleOf } from './differences.ts'
import { Duplicates } from './duplicates.tsx'
import { useQueueMessages } from './messages/messages.ts'
import { VenueChoice } from './venue-choice.tsx'

const scopes: readonly Exclude<SeriesScope, 'BY_FIELD'>[] = ['THIS', 'FOLLOWING', 'ALL']

export interface ProposalProps {
  readonly proposal: ProposalCardFragment
  readonly onDecided: () => void
}

export function ProposalDetails({ proposal, onDecided }: ProposalProps) {
  const messages = useMessages()
  const texts = useQueueMessages()
  const client = useClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const isOpen = useIsOpen()
  const [left, setLeft] = useState<readonly Group[]>([])
  const [venueId, setVenueId] = useState<string>()
  const [scope, setScope] = useState<SeriesScope>('THIS')
  const [answer, setAnswer] = useState<'ask' | 'decline'>()
  const [isBusy, setBusy] = useState(false)
  const canPublish = useRight('PUBLISH')
  const { id, kind, event, proposed, message, reply } = proposal
  const isChange = kind === 'CHANGE'
  const isDeleted = isChange && !event
  const title = titleOf(proposal) ?? texts.untitled
  const differences = differencesOf(proposal)
  const venue = firstPublished(event?.venues)
  const taken = differences.map(({ group }) => group).filter((group) => !left.includes(group))

  async function accept(status: AcceptProposalInput['status']) {
    setBusy(true)
    const input: AcceptProposalInput = {
      proposalId: id,
      ...(isChange ? { fields: fieldsOf(taken), scope: event?.series ? scope : undefined } : { status }),
      ...(taken.includes('place') && { venueId }),
    }
    const { data, error } = await client.mutation(AcceptProposalDocument, { input })
    setBusy(false)
    const [conflict] = data?.acceptProposal?.userErrors.filter(({ code }) => code === 'CONFLICT') ?? []
    const problem = conflict ? texts.decided : problemOf(data?.acceptProposal?.userErrors, error, messages)
    if (problem !== undefined) return toast({ text: problem, isError: true })
    toast({ text: texts.accepted(title) })
    const created = data?.acceptProposal?.proposal?.event
    if (status === 'DRAFT' && created && isOpen.current) navigate(`/events/${created.databaseId}`)
    else onDecided()
  }

  return (
    <>
      {message && (
        <section className="quote">
          <h4>{texts.message}</h4>
          <p>{message}</p>
        </section>
      )}
      {reply && (
        <section className="quote">
          <h4>{texts.reply}</h4>
          <p>{reply}</p>
        </section>
      )}
      {isDeleted && <p className="notice">{texts.deleted}</p>}
      <DifferenceTable
        proposal={proposal}
        differences={differences}
        isChange={isChange}
        left={left}
        onLeave={setLeft}
      />
      {isChange && !proposed.venueName && taken.includes('place') && (
        <p>
          {texts.placeOnly} {venue && <Link href={`/venues/${venue.databaseId}`}>{venue.name}</Link>}
        </p>
      )}
      {!isChange && proposed.title && proposed.startsLocal && (
        <Duplicates title={proposed.title} day={proposed.startsLocal.slice(0, 10)} />
      )}
      {proposed.venueName && taken.includes('place') && (
        <VenueChoice name={proposed.venueName} value={venueId} onChange={setVenueId} />
      )}
      {event?.series && isChange && (
        <Select
          label={texts.scope}
          help={event.series.words}
          value={scope}
          onChange={({ target }) => setScope(target.value as SeriesScope)}
        >
          {scopes.map((name) => (
            <option key={name} value={name}>
              {messages.scope[name]}
            </option>
          ))}
        </Select>
      )}
      <div className="actions">
        {isChange ? (
          <Button
            look="primary"
            aria-label={texts.of(texts.accept, title)}
            disabled={isBusy || isDeleted || taken.length === 0}
            onClick={() => accept(undefined)}
          >
            {texts.accept}
          </Button>
        ) : (
          <>
            {canPublish && (
              <Button
                look="primary"
                aria-label={texts.of(texts.acceptEvent, title)}
                disabled={isBusy}
                onClick={() => accept('PUBLISHED')}
              >
                {texts.acceptEvent}
              </Button>
            )}
            <Button aria-label={texts.of(texts.acceptDraft, title)} disabled={isBusy} onClick={() => accept('DRAFT')}>
              {texts.acceptDraft}
            </Button>
          </>
        )}
        <Button aria-label={texts.of(texts.ask, title)} disabled={isBusy} onClick={() => setAnswer('ask')}>
          {texts.ask}
        </Button>
        <Button
          look="danger"
          aria-label={texts.of(texts.decline, title)}
          disabled={isBusy}
          onClick={() => setAnswer('decline')}
        >
          {texts.decline}
        </Button>
        {event && <Link href={`/events/${event.databaseId}`}>{texts.open}</Link>}
      </div>
      {answer && (
        <AnswerDialog
          kind={answer}
          proposalId={id}
          title={title}
          onClose={() => setAnswer(undefined)}
          onDecided={onDecided}
        />
      )}
    </>
  )
}
