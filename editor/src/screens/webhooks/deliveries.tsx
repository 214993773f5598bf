import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/field.tsx'
import { Failure, Loading } from '../../components/states.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatInstant } from '../../dates.ts'
import {
  type DeliveryRowFragment,
  ReplayWebhookDeliveriesDocument,
  type ReplayWebhookDeliveriesInput,
  WebhookDeliveriesDocument,
  type WebhookDeliveryState,
} from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { nameIn, useMessages } from '../../messages.ts'
import { useWebhookMessages } from './messages/messages.ts'

const states: readonly WebhookDeliveryState[] = ['FAILED', 'PENDING', 'DELIVERED', 'REPLACED']

/** The last messages of a webhook, which can be sent again. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const messages = useMessages()
  const texts = useWebhookMessages()
  const toast = useToast()
  const [state, setState] = useState<WebhookDeliveryState>()
  const [{ data, error, fetching }, read] = useQuery({
    query: WebhookDeliveriesDocument,
    variables: { id: webhookId, state },
    requestPolicy: 'cache-and-network',
  })
  const [{ fetching: isReplaying }, replay] = useMutation(ReplayWebhookDeliveriesDocument)
  const reload = () => read({ requestPolicy: 'network-only' })
  const list = data?.node && 'deliveries' in data.node ? data.node.deliveries : undefined

  async function sendAgain(which: Omit<ReplayWebhookDeliveriesInput, 'id'>) {
    const { data, error } = await replay({ input: { id: webhookId, ...which } })
    const problem = problemOf(data?.replayWebhookDeliveries?.userErrors, error, messages)
    toast(
      problem === undefined
        ? { text: texts.replayed(data?.replayWebhookDeliveries?.count ?? 0) }
        : { text: problem, isError: true },
    )
    reload()
  }

  if (error && !list) return <Failure error={error} onRetry={reload} />
  return (
    <div className="stack">
      <div className="actions">
        <Select
          label={texts.columns.state}
          isLabelHidden
          value={state ?? ''}
          onChange={({ target }) => setState(states.find((name) => name === target.value))}
        >
          <option value="">{texts.anyState}</option>
          {states.map((name) => (
            <option key={name} value={name}>
              {texts.state[name]}
            </option>
          ))}
        </Select>
        <Button disabled={isReplaying} onClick={() => sendAgain({ state: 'FAILED' })}>
          {texts.replayFailed}
        </Button>
        <Button onClick={reload}>{texts.reload}</Button>
      </div>
      {!list && fetching && <Loading />}
      {list && (
        <p className="soft" role="status">
          {list.totalCount === 0 ? texts.noDeliveries : texts.shown(list.nodes.length, list.totalCount)}
        </p>
      )}
      {list && list.nodes.length > 0 && (
        <ul className="deliveries" aria-label={texts.deliveries}>
          {list.nodes.map((delivery) => (
            <Delivery
              key={delivery.id}
              delivery={delivery}
              isBusy={isReplaying}
              onReplay={() => sendAgain({ deliveryId: delivery.id })}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

interface DeliveryProps {
  readonly delivery: DeliveryRowFragment
  readonly isBusy: boolean
  readonly onReplay: () => void
}

function Delivery({ delivery, isBusy, onReplay }: DeliveryProps) {
  const texts = useWebhookMessages()
  const { kind, type, state, tries, lastStatus, lastError, dueAt } = delivery
  const { databaseId } = delivery.data as { readonly databaseId?: number }
  const what = kind ? `${nameIn(texts.record, kind)} ${databaseId}: ${texts.type[type]}` : texts.type[type]
  const details = [
    texts.tries(tries),
    lastError ?? lastStatus,
    state === 'PENDING' && dueAt && tries > 0 && texts.next(formatInstant(dueAt)),
  ]
  return (
    <li>
      <span>{formatInstant(delivery.createdAt)}</span>
      <b>{what}</b>
      <span>
        <span className={state === 'DELIVERED' ? 'badge published' : state === 'FAILED' ? 'badge warning' : 'badge'}>
          {texts.state[state]}
        </span>{' '}
        <span className="soft">{details.filter(Boolean).join(' · ')}</span>
      </span>
      {kind && state !== 'PENDING' && (
        <Button aria-label={texts.of(texts.replay, what)} disabled={isBusy} onClick={onReplay}>
          {texts.replay}
        </Button>
      )}
    </li>
  )
}
