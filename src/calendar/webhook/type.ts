import type { ObjectRef } from '@pothos/core'
import { requirePermission } from '../../service/auth/permissions.ts'
import { builder, nodeIdOptions, type SchemaTypes } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { RecordKindEnum } from '../changes/changes-query.ts'
import { loadFieldForParent } from '../list/field-loader.ts'
import type { ListOrder } from '../list/list-query.ts'
import { loadConnections, nodePaths } from '../list/pages.ts'
import { getConnectionType } from '../list/record-connection.ts'
import { addListQueries } from '../list/record-queries.ts'
import { enumValues } from '../rules/enums.ts'
import { globalId } from '../rules/identify.ts'
import { toSiteLanguage } from '../text/served-languages.ts'
import { User } from '../user/type.ts'
import { readSecrets } from './secrets.ts'

const WebhookMessageType = builder.enumType('WebhookMessageType', {
  description: 'What a message of a webhook says.',
  values: enumValues({
    created: 'A record that the endpoint could not see before is new, was published, or was restored.',
    updated: 'A record, or something that it shows, may have changed; or it now meets the filter.',
    deleted: 'A record was deleted, trashed, unpublished or hidden, or no longer meets the filter.',
    ping: 'A test, which is about no record.',
  }),
})

export const WebhookDeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'How far the delivery of a message is.',
  values: enumValues({
    pending: 'It was not sent yet, or will be sent again.',
    delivered: 'The endpoint accepted it with a status from 200 to 299.',
    failed: 'The endpoint accepted none of 10 tries in about 3 days, or responded with status 410.',
    replaced: 'It was not accepted, and a later message about the same record replaces it.',
  }),
})

export const WebhookDelivery = builder.prismaNode('WebhookDelivery', {
  id: nodeIdOptions,
  nullable: true,
  description: 'A message to the endpoint of a webhook. It is deleted after 30 days.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among deliveries.' }),
    messageId: t.exposeString('messageId', {
      description: 'The header `webhook-id`, which is the same in all tries.',
    }),
    type: t.expose('type', { type: WebhookMessageType, description: 'What the message says.' }),
    kind: t.field({
      type: RecordKindEnum,
      nullable: true,
      description: 'Kind of the record; null for PING.',
      select: { kind: true },
      resolve: ({ kind }) => (kind === '' ? null : (kind as 'event')),
    }),
    recordId: t.id({
      nullable: true,
      description: 'Global ID of the record; null for PING.',
      select: { kind: true, recordId: true },
      resolve: ({ kind, recordId }) => (kind === '' ? null : globalId(kind as 'event', recordId)),
    }),
    data: t.expose('data', { type: 'JSON', description: 'The property `data` of the message.' }),
    state: t.expose('state', { type: WebhookDeliveryState, description: 'How far the delivery is.' }),
    tries: t.exposeInt('tries', { description: 'How many times it was sent.' }),
    dueAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it is sent next; null unless it is pending.',
      select: { dueAt: true, state: true },
      resolve: ({ dueAt, state }) => (state === 'pending' ? dueAt : null),
    }),
    triedAt: t.expose('triedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last sent; null if never.',
    }),
    lastStatus: t.exposeInt('lastStatus', {
      nullable: true,
      description: 'HTTP status of the last response; null without one.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last try failed; null if it did not.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the change was found.' }),
  }),
})

const deliveryType: ObjectRef<SchemaTypes, object> = WebhookDelivery
const newestFirst: ListOrder = { keys: [{ column: 'id', descending: true, type: 'integer' }] }

export const Webhook = builder.prismaNode('Webhook', {
  id: nodeIdOptions,
  nullable: true,
  description:
    'An endpoint that is told of changes by signed HTTP requests, in the format of Standard Webhooks. For administrators.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among webhooks.' }),
    url: t.expose('url', { type: 'URL', description: 'Where messages are sent.' }),
    filter: t.expose('filter', {
      type: 'JSON',
      description: 'Selects the records of which the endpoint is told: a `ChangeFilter`.',
    }),
    language: t.field({
      type: LanguageCode,
      nullable: true,
      description: 'Language of the filter and of URLs; null if the site no longer has it.',
      select: { language: true },
      resolve: ({ language }, _args, context) => toSiteLanguage(language, context),
    }),
    user: t.relation('user', {
      type: User,
      nullable: true,
      description: 'The user who could see all records of which the endpoint is told; null for visitors.',
    }),
    enabled: t.exposeBoolean('enabled', {
      description: 'Whether messages are sent. An endpoint that is enabled again is told of what changed meanwhile.',
    }),
    disabledReason: t.exposeString('disabledReason', {
      nullable: true,
      description: 'Why the service disabled the webhook; null unless it did.',
    }),
    pausedUntil: t.expose('pausedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the endpoint asked to wait, with the header Retry-After; null if it never did.',
    }),
    secretCount: t.int({
      description: 'How many secrets sign messages: more than one for a while after `rotateWebhookSecret`.',
      select: { secrets: true },
      resolve: ({ secrets }, _args, { now }) => readSecrets(secrets, now).length,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the webhook was created.' }),
    deliveries: t.connection(
      {
        type: deliveryType,
        description: 'Messages of the last 30 days, newest first.',
        extensions: complexity({ slicingArguments: ['first', 'last'] }),
        args: { state: t.arg({ type: WebhookDeliveryState, description: 'Only messages in this state.' }) },
        resolve: (webhook, args, context, info) =>
          loadFieldForParent(webhook, context, info, () => {
            const where = args.state ? { state: args.state } : {}
            const list = { where, order: newestFirst, selection: buildSelection(context, info, nodePaths) }
            return (ids) =>
              loadConnections<object>(context, 'webhookDelivery', list, args, info, {
                ids,
                where: (webhookId) => ({ webhookId }),
                hasLongLists: true,
              })
          }),
      },
      getConnectionType('webhookDelivery', deliveryType),
    ),
  }),
})

const WebhookFilter = builder.inputType('WebhookFilter', {
  description: 'Selects webhooks. Criteria combine with AND.',
  fields: (t) => ({ enabled: t.boolean({ description: 'Only webhooks that are, or are not, enabled.' }) }),
})

addListQueries('webhook', {
  type: Webhook,
  filter: WebhookFilter,
  description: 'Webhooks in the order of their IDs. For administrators.',
  permit: ({ viewer }) => requirePermission(viewer, 'manageUsers'),
  list: async ({ filter }) => ({
    where: filter?.enabled == null ? {} : { enabled: filter.enabled },
    order: { keys: [{ column: 'id', type: 'integer' }] },
  }),
})
