import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Screen } from '../../components/screen.tsx'
import { Secret } from '../../components/secret.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { WebhooksDocument } from '../../gql/graphql.ts'
import { useList } from '../../graphql/use-list.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { NotFoundScreen } from '../not-found.tsx'
import { useWebhookMessages } from './messages/messages.ts'
import { WebhookCard } from './webhook-card.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import '../../styles/cards.css'
import './webhooks.css'

export function WebhooksScreen() {
  return useRight('MANAGE_USERS') ? <Webhooks /> : <NotFoundScreen />
}

function Webhooks() {
  const messages = useMessages()
  const texts = useWebhookMessages()
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const { list, error, retry, showMore } = useList({
    query: WebhooksDocument,
    variables: {},
    listOf: ({ webhooks }) => webhooks,
  })
  const webhooks = list?.nodes
  return (
    <Screen
      title={messages.screens.webhooks}
      actions={
        <Button look="primary" onClick={() => setCreating(true)}>
          {texts.new}
        </Button>
      }
    >
      <p className="soft">{texts.intro}</p>
      {error && <Failure error={error} onRetry={retry} />}
      {!webhooks && !error && <Loading />}
      {webhooks?.length === 0 && (
        <Empty>
          <p>{texts.none}</p>
        </Empty>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="cards" aria-label={messages.screens.webhooks}>
          {webhooks.map((webhook) => (
            <WebhookCard key={webhook.id} webhook={webhook} onSecret={setSecret} />
          ))}
        </ul>
      )}
      {showMore && <Button onClick={showMore}>{messages.more}</Button>}
      {isCreating && <WebhookDialog onClose={() => setCreating(false)} onSecret={setSecret} />}
      {secret !== undefined && (
        <Dialog title={texts.secretTitle} onClose={() => setSecret(undefined)}>
          <Secret label={texts.secret} help={texts.secretHelp} value={secret} />
          <div className="actions">
            <Button look="primary" onClick={() => setSecret(undefined)}>
              {messages.done}
            </Button>
          </div>
        </Dialog>
      )}
    </Screen>
  )
}
