import { useRef } from 'react'
import { useQuery } from 'urql'
import { Screen } from '../../components/screen.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { PendingEventsDocument, ProposalsDocument } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { NotFoundScreen } from '../not-found.tsx'
import { useQueueMessages } from './messages/messages.ts'
import { PendingEventCard } from './pending-event-card.tsx'
import { ProposalCard } from './proposal-card.tsx'
import '../../styles/cards.css'
import './queue.css'

export function QueueScreen() {
  return useRight('EDIT_OTHERS') ? <Queue /> : <NotFoundScreen />
}

function Queue() {
  const messages = useMessages()
  const texts = useQueueMessages()
  const requestPolicy = 'cache-and-network'
  const [{ data, error }, retry] = useQuery({ query: ProposalsDocument, requestPolicy })
  const [{ data: pendingData, error: pendingError }, retryPending] = useQuery({
    query: PendingEventsDocument,
    requestPolicy,
  })
  const headings = { proposals: useRef<HTMLHeadingElement>(null), events: useRef<HTMLHeadingElement>(null) }
  const proposals = data?.proposals
  const pending = pendingData?.eventsPage
  const failure = (!proposals && error) || (!pending && pendingError)
  function retryAll() {
    retry({ requestPolicy: 'network-only' })
    retryPending({ requestPolicy: 'network-only' })
  }
  return (
    <Screen title={messages.screens.queue}>
      {failure && <Failure error={failure} onRetry={retryAll} />}
      {!failure && (!proposals || !pending) && <Loading />}
      {proposals?.totalCount === 0 && pending?.total === 0 && (
        <Empty>
          <p>{texts.nothing}</p>
        </Empty>
      )}
      {proposals && proposals.totalCount > 0 && (
        <section className="stack">
          <h2 ref={headings.proposals} tabIndex={-1}>
            {texts.proposals(proposals.totalCount)}
          </h2>
          {proposals.totalCount > proposals.nodes.length && <p>{texts.shown(proposals.nodes.length)}</p>}
          {proposals.nodes.map((proposal, index) => (
            <ProposalCard
              key={proposal.id}
              proposal={proposal}
              isFirst={index === 0}
              // The card disappears with the focus in it.
              onDecided={() => headings.proposals.current?.focus()}
            />
          ))}
        </section>
      )}
      {pending && pending.total > 0 && (
        <section className="stack">
          <h2 ref={headings.events} tabIndex={-1}>
            {texts.pending(pending.total)}
          </h2>
          {pending.total > pending.items.length && <p>{texts.shown(pending.items.length)}</p>}
          <ul className="cards">
            {pending.items.map((event) => (
              <PendingEventCard key={event.id} event={event} onDecided={() => headings.events.current?.focus()} />
            ))}
          </ul>
        </section>
      )}
    </Screen>
  )
}
