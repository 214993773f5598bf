import { useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Screen } from '../../components/screen.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { formatNumber } from '../../dates.ts'
import { PendingEventsDocument, ProposalsDocument } from '../../gql/graphql.ts'
import { useList } from '../../graphql/use-list.ts'
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
  const proposals = useList({ query: ProposalsDocument, variables: {}, listOf: (data) => data.proposals })
  const pending = useList({ query: PendingEventsDocument, variables: {}, listOf: (data) => data.events })
  const headings = { proposals: useRef<HTMLHeadingElement>(null), events: useRef<HTMLHeadingElement>(null) }
  const failure = proposals.error ?? pending.error
  function retryAll() {
    proposals.retry()
    pending.retry()
  }
  return (
    <Screen title={messages.screens.queue}>
      {failure && <Failure error={failure} onRetry={retryAll} />}
      {!failure && (!proposals.list || !pending.list) && <Loading />}
      {proposals.list?.totalCount === 0 && pending.list?.totalCount === 0 && (
        <Empty>
          <p>{texts.nothing}</p>
        </Empty>
      )}
      {proposals.list && proposals.list.totalCount > 0 && (
        <section className="stack">
          <h2 ref={headings.proposals} tabIndex={-1}>
            {texts.proposals(formatNumber(proposals.list.totalCount))}
          </h2>
          {proposals.list.nodes.map((proposal, index) => (
            <ProposalCard
              key={proposal.id}
              proposal={proposal}
              isFirst={index === 0}
              // The card disappears with the focus in it.
              onDecided={() => headings.proposals.current?.focus()}
            />
          ))}
          {proposals.showMore && (
            <div>
              <Button onClick={proposals.showMore}>{texts.moreProposals}</Button>
            </div>
          )}
        </section>
      )}
      {pending.list && pending.list.totalCount > 0 && (
        <section className="stack">
          <h2 ref={headings.events} tabIndex={-1}>
            {texts.pending(formatNumber(pending.list.totalCount))}
          </h2>
          <ul className="cards">
            {pending.list.nodes.map((event) => (
              <PendingEventCard key={event.id} event={event} onDecided={() => headings.events.current?.focus()} />
            ))}
          </ul>
          {pending.showMore && (
            <div>
              <Button onClick={pending.showMore}>{texts.morePending}</Button>
            </div>
          )}
        </section>
      )}
    </Screen>
  )
}
