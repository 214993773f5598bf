import type { CombinedError } from '@urql/core'
import { useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatInstant } from '../../dates.ts'
import {
  DeleteWebhookDocument,
  PingWebhookDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
  type UserErrorPartsFragment,
  type WebhookCardFragment,
} from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { languageName, nameIn, useMessages } from '../../messages.ts'
import { tagOf } from '../../site.ts'
import { Deliveries } from './deliveries.tsx'
import { splitFilter } from './filter.ts'
import { useWebhookMessages } from './messages/messages.ts'
import { WebhookDialog } from './webhook-dialog.tsx'

interface Props {
  readonly webhook: WebhookCardFragment
  readonly onSecret: (secret: string) => void
}

export function WebhookCard({ webhook, onSecret }: Props) {
  const messages = useMessages()
  const texts = useWebhookMessages()
  const client = useClient()
  const toast = useToast()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  /** Counts what may have sent a message, after which the list of messages is read again. */
  const [sent, setSent] = useState(0)
  const { id, url, enabled } = webhook

  /** Runs a mutation, and says what is wrong with it. Returns its payload if nothing is. */
  async function run<Payload extends { readonly userErrors: readonly UserErrorPartsFragment[] }>(
    request: PromiseLike<{ readonly data: Payload | null | undefined; readonly error: CombinedError | undefined }>,
  ) {
    setBusy(true)
    const { data, error } = await request
    setBusy(false)
    const problem = problemOf(data?.userErrors, error, messages)
    if (problem === undefined) return data
    toast({ text: problem, isError: true })
    return undefined
  }

  async function toggle() {
    const input = { id, enabled: !enabled }
    const done = await run(
      client
        .mutation(UpdateWebhookDocument, { input })
        .then(({ data, error }) => ({ data: data?.updateWebhook, error })),
    )
    if (done) toast({ text: enabled ? texts.paused : texts.resumed })
  }

  async function ping() {
    const done = await run(
      client
        .mutation(PingWebhookDocument, { input: { id } })
        .then(({ data, error }) => ({ data: data?.pingWebhook, error })),
    )
    setSent(sent + 1)
    if (!done?.delivery) return
    const { state, lastStatus, lastError } = done.delivery
    if (state === 'DELIVERED') toast({ text: texts.testOk(lastStatus ?? 200) })
    else toast({ text: texts.testFailed(lastError ?? String(lastStatus ?? texts.noAnswer)), isError: true })
  }

  async function rotate() {
    const done = await run(
      client
        .mutation(RotateWebhookSecretDocument, { input: { id } })
        .then(({ data, error }) => ({ data: data?.rotateWebhookSecret, error })),
    )
    if (done?.secret) onSecret(done.secret)
  }

  async function remove() {
    const done = await run(
      client
        .mutation(DeleteWebhookDocument, { input: { id } })
        .then(({ data, error }) => ({ data: data?.deleteWebhook, error })),
    )
    setDialog(undefined)
    if (done) toast({ text: texts.removed })
  }

  const actions = [
    { name: texts.edit, onClick: () => setDialog('edit') },
    { name: enabled ? texts.pause : texts.resume, onClick: toggle },
    { name: texts.test, onClick: ping },
    { name: texts.rotate, onClick: rotate },
  ]
  return (
    <li className="card">
      <div className="card-main">
        <h2>{url}</h2>
        <p className="badges">
          <span className={enabled ? 'badge published' : 'badge'}>{enabled ? texts.enabled : texts.disabled}</span>
        </p>
        <p className="soft">{summaryOf(webhook, texts)}</p>
        {webhook.disabledReason && <p className="notice error">{texts.disabledBy(webhook.disabledReason)}</p>}
        {enabled && webhook.pausedUntil && new Date(webhook.pausedUntil) > new Date() && (
          <p className="notice">{texts.waits(formatInstant(webhook.pausedUntil))}</p>
        )}
      </div>
      <div className="actions">
        {actions.map(({ name, onClick }) => (
          <Button key={name} aria-label={texts.of(name, url)} disabled={isBusy} onClick={onClick}>
            {name}
          </Button>
        ))}
        <Button
          look="danger"
          aria-label={texts.of(texts.remove, url)}
          disabled={isBusy}
          onClick={() => setDialog('delete')}
        >
          {texts.remove}
        </Button>
      </div>
      <div className="card-more">
        <Button
          look="quiet"
          aria-label={texts.of(texts.deliveries, url)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.deliveries}
        </Button>
        {isOpen && <Deliveries key={sent} webhookId={id} />}
      </div>
      {dialog === 'edit' && <WebhookDialog webhook={webhook} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={texts.of(texts.remove, url)}
          text={texts.removeText}
          action={texts.remove}
          onClose={() => setDialog(undefined)}
          onConfirm={remove}
        />
      )}
    </li>
  )
}

function summaryOf({ filter, user, language }: WebhookCardFragment, texts: ReturnType<typeof useWebhookMessages>) {
  const { chosen, hasRest } = splitFilter(filter)
  const what = chosen.length > 0 ? chosen.map((kind) => nameIn(texts.kind, kind)).join(', ') : texts.everything
  return [
    hasRest ? `${what} (${texts.filtered})` : what,
    user ? texts.viewOf(user.name) : texts.visitors,
    ...(language ? [languageName(tagOf(language))] : []),
  ].join(' · ')
}
