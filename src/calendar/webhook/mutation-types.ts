// Inputs and payloads of the mutations of webhooks.
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { addRecordPayloadType, Payload, type WriteResult, writtenRecordField } from '../lifecycle/payload.ts'
import { idDescription } from '../rules/identify.ts'
import { Webhook, WebhookDelivery, WebhookDeliveryState } from './type.ts'

const descriptions = {
  url: 'Where messages are sent: an https:// or http:// URL with a public address.',
  filter:
    'Selects the records of which the endpoint is told: a `ChangeFilter` as JSON, such as `{"kinds": ["EVENT"]}`.',
  language: 'Language of the filter and of URLs.',
}

export const CreateWebhookInput = builder.inputType('CreateWebhookInput', {
  description: 'The webhook to create.',
  fields: (t) => ({
    url: t.field({ type: 'URL', required: true, description: descriptions.url }),
    filter: t.field({ type: 'JSON', description: `${descriptions.filter} Default: all records.` }),
    language: t.field({ type: LanguageCode, description: `${descriptions.language} Default: that of the operation.` }),
    userId: t.id({
      description: `The user who may see all records of which the endpoint is told; by default, only what visitors see. ${idDescription('user')} Deleting the user deletes the webhook.`,
    }),
  }),
})

export const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'Changes to a webhook. Fields that the input omits stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('webhook') }),
    url: t.field({ type: 'URL', description: `${descriptions.url} null leaves it unchanged.` }),
    filter: t.field({ type: 'JSON', description: `${descriptions.filter} null leaves it unchanged.` }),
    language: t.field({ type: LanguageCode, description: `${descriptions.language} null leaves it unchanged.` }),
    enabled: t.boolean({ description: 'Whether messages are sent; null leaves it unchanged.' }),
  }),
})

export const WebhookInput = builder.inputType('WebhookInput', {
  description: 'Identifies a webhook.',
  fields: (t) => ({ id: t.id({ required: true, description: idDescription('webhook') }) }),
})

/** Hours. */
export const [defaultOverlap, maxOverlap] = [24, 720]

export const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description: 'The webhook that gets a new secret.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('webhook') }),
    overlapHours: t.int({
      description: `For how many hours the earlier secrets sign, too: from 0 to ${maxOverlap}. Default: ${defaultOverlap}.`,
    }),
  }),
})

export const ReplayWebhookDeliveriesInput = builder.inputType('ReplayWebhookDeliveriesInput', {
  description: 'The messages to send again, as new messages: one delivery, or those of a time or state.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('webhook') }),
    deliveryId: t.id({ description: `Only this delivery. ${idDescription('webhookDelivery')}` }),
    from: t.field({ type: 'DateTime', description: 'Only messages that were created then or later.' }),
    to: t.field({ type: 'DateTime', description: 'Only messages that were created earlier.' }),
    state: t.field({ type: WebhookDeliveryState, description: 'Only messages in this state, such as FAILED.' }),
  }),
})

export const WebhookPayload = addRecordPayloadType('webhook', Webhook)

export const WebhookSecretPayload = builder
  .objectRef<WriteResult & { readonly secret?: string }>('WebhookSecretPayload')
  .implement({
    description: 'Result of creating a secret of a webhook.',
    interfaces: [Payload],
    fields: (t) => ({
      webhook: t.field(writtenRecordField('webhook', Webhook)),
      secret: t.string({
        nullable: true,
        description:
          'The new secret, which verifies messages. Only the first response shows it: null if an Idempotency-Key is repeated.',
        resolve: ({ secret }) => secret ?? null,
      }),
    }),
  })

export const PingWebhookPayload = builder.objectRef<WriteResult>('PingWebhookPayload').implement({
  description: 'Result of a test.',
  interfaces: [Payload],
  fields: (t) => ({
    delivery: t.field(
      writtenRecordField(
        'webhookDelivery',
        WebhookDelivery,
        'The test message, with the response; null if none was sent.',
      ),
    ),
  }),
})

export const ReplayWebhookDeliveriesPayload = builder
  .objectRef<WriteResult & { readonly count?: number }>('ReplayWebhookDeliveriesPayload')
  .implement({
    description: 'Result of sending messages again.',
    interfaces: [Payload],
    fields: (t) => ({
      webhook: t.field(writtenRecordField('webhook', Webhook)),
      count: t.int({
        nullable: true,
        description:
          'Number of new messages, one for each record; records with a message that waits already have none.',
        resolve: ({ count }) => count ?? null,
      }),
    }),
  })
