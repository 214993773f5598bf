import { randomUUID } from 'node:crypto'
import type { GraphQLSchema } from 'graphql'
import { badInputError, notFoundError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { currentPosition } from '../changes/changed-records.ts'
import { readChanges } from '../changes/changes-query.ts'
import { startSyncToken } from '../changes/sync-token.ts'
import { findAllowedAddresses } from '../image/storage/allowed-addresses.ts'
import { mutateAccounts } from '../lifecycle/mutation.ts'
import { DeletionPayload } from '../lifecycle/payload.ts'
import { parseReferenceId, requireRecordId } from '../rules/identify.ts'
import { contextOf, findFilterProblem, readFilter } from './endpoint.ts'
import { logWebhookChange } from './log.ts'
import {
  CreateWebhookInput,
  defaultOverlap,
  maxOverlap,
  PingWebhookPayload,
  ReplayWebhookDeliveriesInput,
  ReplayWebhookDeliveriesPayload,
  RotateWebhookSecretInput,
  UpdateWebhookInput,
  WebhookInput,
  WebhookPayload,
  WebhookSecretPayload,
} from './mutation-types.ts'
import { replayDeliveries } from './replay.ts'
import { addSecret, createSecret } from './secrets.ts'
import { sendMessage } from './send.ts'

const maxWebhooks = 50

async function checkUrl(text: string, { settings }: Context): Promise<string> {
  const url = new URL(text)
  if (url.username || url.password) throw badInputError({ url: 'url must not contain a user name or password.' })
  if (text.length > 2000) throw badInputError({ url: 'url can have at most 2000 characters.' })
  if (await findAllowedAddresses(url, settings.webhookPrivateHosts)) return url.href
  throw badInputError({
    url: 'url must be on a server with a public address. WEBHOOK_PRIVATE_HOSTS can allow other hosts.',
  })
}

const maxFilter = 10_000

/** Throws badInputError unless the filter is a ChangeFilter with which the log of changes can be read. Returns where to begin. */
async function checkFilter(
  filter: unknown,
  endpoint: Parameters<typeof contextOf>[0],
  context: Context,
  schema: GraphQLSchema,
): Promise<string> {
  const problem = findFilterProblem(filter, schema)
  if (problem) throw badInputError({ filter: `filter must be a ChangeFilter. ${problem}` })
  if (JSON.stringify(filter).length > maxFilter)
    throw badInputError({ filter: `filter can have at most ${maxFilter} characters.` })
  const { db, settings, site, clock: now } = context
  const reader = await contextOf(endpoint, { db, settings, site, now })
  const after = startSyncToken(await currentPosition(reader), context)
  await readChanges({ after, first: 1, filter: readFilter(filter, schema), isStored: true }, reader)
  return after
}

async function findWebhook(context: Context, id: string) {
  requirePermission(context.viewer, 'manageUsers')
  const where = { id: requireRecordId('webhook', id) }
  const user = { select: { id: true, role: true } } as const
  const webhook = await context.db.webhook.findUnique({ where, include: { user } })
  if (webhook) return webhook
  throw notFoundError('webhook', 'id')
}

/** Updates a webhook in its transaction. Throws notFoundError if it was deleted meanwhile. */
async function update(tx: Tx, id: number, data: Prisma.WebhookUncheckedUpdateManyInput): Promise<void> {
  const { count } = await tx.webhook.updateMany({ where: { id }, data })
  if (count === 0) throw notFoundError('webhook', 'id')
}

const withoutSecret = ({ id }: { readonly id: number }) => ({ id })

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: WebhookSecretPayload,
    description: `Creates a webhook, which is told of what changes from now on. A site can have ${maxWebhooks}. For administrators.`,
    args: { input: t.arg({ type: CreateWebhookInput, required: true, description: 'The webhook.' }) },
    resolve: (_root, { input }, context, { schema }) =>
      mutateAccounts(
        context,
        async (tx, { url, filter: token, user }) => {
          if ((await tx.webhook.count()) >= maxWebhooks)
            throw badInputError({ url: `A site can have at most ${maxWebhooks} webhooks. Delete one first.` })
          const secret = createSecret()
          const language = input.language ?? context.language
          const filter = (input.filter ?? {}) as Prisma.InputJsonObject
          const data = { url, filter, language, userId: user?.id ?? null, token, secrets: [{ secret, until: null }] }
          const { id } = await tx.webhook.create({ data: { ...data, createdAt: context.now }, select: { id: true } })
          await logWebhookChange(tx, id, 'created')
          return { id, secret }
        },
        withoutSecret,
        async () => {
          requirePermission(context.viewer, 'manageUsers')
          const { user } = await checkAll({
            user: async () => {
              const id = parseReferenceId('user', input.userId, 'userId')
              if (id == null) return null
              const user = await context.db.user.findUnique({ where: { id }, select: { id: true, role: true } })
              if (user) return user
              throw badInputError({ userId: 'userId must be the ID of an existing user.' })
            },
          })
          const endpoint = { language: input.language ?? context.language, user }
          const { url, filter } = await checkAll({
            url: () => checkUrl(input.url, context),
            filter: () => checkFilter(input.filter ?? {}, endpoint, context, schema),
          })
          return { url, filter, user }
        },
      ),
  }),
  updateWebhook: t.field({
    type: WebhookPayload,
    description: 'Updates a webhook. For administrators.',
    args: { input: t.arg({ type: UpdateWebhookInput, required: true, description: 'Changes to the webhook.' }) },
    resolve: (_root, { input }, context, { schema }) =>
      mutateAccounts(
        context,
        async (tx, { before, url }) => {
          const { filter, language, enabled } = input
          const after = {
            ...(url !== undefined && { url }),
            ...(filter != null && { filter: filter as Prisma.InputJsonObject }),
            ...(language != null && { language }),
            ...(enabled != null && { enabled, disabledReason: null }),
          }
          await update(tx, before.id, after)
          const fields = Object.entries(after).map(([name, value]) => [
            name,
            [before[name as keyof typeof after], value],
          ])
          await logWebhookChange(tx, before.id, 'updated', Object.fromEntries(fields))
          return { id: before.id }
        },
        undefined,
        async () => {
          const before = await findWebhook(context, String(input.id))
          const endpoint = { language: input.language ?? before.language, user: before.user }
          const { url } = await checkAll({
            url: () => (input.url == null ? undefined : checkUrl(input.url, context)),
            filter: () =>
              input.filter != null || input.language != null
                ? checkFilter(input.filter ?? before.filter, endpoint, context, schema)
                : undefined,
          })
          return { before, url }
        },
      ),
  }),
  deleteWebhook: t.field({
    type: DeletionPayload,
    description: 'Deletes a webhook with its deliveries. For administrators.',
    args: { input: t.arg({ type: WebhookInput, required: true, description: 'Identifies the webhook.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await mutateAccounts(context, async (tx) => {
        requirePermission(context.viewer, 'manageUsers')
        const id = requireRecordId('webhook', String(input.id))
        const { count } = await tx.webhook.deleteMany({ where: { id } })
        if (count === 0) throw notFoundError('webhook', 'id')
        await logWebhookChange(tx, id, 'deleted')
        return { id }
      })
      return { ...outcome, kind: 'webhook' as const }
    },
  }),
  rotateWebhookSecret: t.field({
    type: WebhookSecretPayload,
    description:
      'Creates a new secret for a webhook. For a while, messages have a signature of each secret, so that the endpoint can change to the new one. For administrators.',
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true, description: 'The webhook.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(
        context,
        async (tx) => {
          requirePermission(context.viewer, 'manageUsers')
          const id = requireRecordId('webhook', String(input.id))
          const hours = input.overlapHours ?? defaultOverlap
          if (hours < 0 || hours > maxOverlap)
            throw badInputError({ overlapHours: `overlapHours must be from 0 to ${maxOverlap}.` })
          await tx.$queryRaw`SELECT FROM webhook WHERE id = ${id} FOR UPDATE`
          const webhook = await tx.webhook.findUnique({ where: { id }, select: { secrets: true } })
          if (!webhook) throw notFoundError('webhook', 'id')
          const secret = createSecret()
          const now = new Date()
          const until = new Date(now.getTime() + hours * 3_600_000)
          await update(tx, id, { secrets: addSecret(webhook.secrets, secret, until, now) })
          await logWebhookChange(tx, id, 'updated', { secrets: ['***', '***'] })
          return { id, secret }
        },
        withoutSecret,
      ),
  }),
  pingWebhook: t.field({
    type: PingWebhookPayload,
    description:
      'Sends a test message to a webhook, also to a disabled one, and waits up to 15 seconds for the response. It is sent once. For administrators.',
    args: { input: t.arg({ type: WebhookInput, required: true, description: 'Identifies the webhook.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(
        context,
        async (tx, delivery: Prisma.WebhookDeliveryUncheckedCreateInput) =>
          tx.webhookDelivery.create({ data: delivery, select: { id: true } }),
        undefined,
        async () => {
          const webhook = await findWebhook(context, String(input.id))
          const [messageId, createdAt] = [randomUUID(), new Date()]
          const ping = { messageId, type: 'ping', kind: '', data: {}, createdAt } as const
          const { status, error } = await sendMessage({ ...webhook, ...ping }, context.settings)
          const state = error === undefined ? ('delivered' as const) : ('failed' as const)
          const result = { state, tries: 1, triedAt: createdAt, lastStatus: status, lastError: error ?? null }
          return { ...ping, ...result, recordId: 0, webhookId: webhook.id }
        },
      ),
  }),
  replayWebhookDeliveries: t.field({
    type: ReplayWebhookDeliveriesPayload,
    description:
      'Sends messages of the last 30 days again, with new IDs, except those with a later message about the same record. For administrators.',
    args: { input: t.arg({ type: ReplayWebhookDeliveriesInput, required: true, description: 'The messages.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(context, async (tx) => {
        requirePermission(context.viewer, 'manageUsers')
        const id = requireRecordId('webhook', String(input.id))
        if ((await tx.webhook.count({ where: { id } })) === 0) throw notFoundError('webhook', 'id')
        const deliveryId = parseReferenceId('webhookDelivery', input.deliveryId, 'deliveryId')
        const count = await replayDeliveries(tx, id, { ...input, deliveryId })
        await logWebhookChange(tx, id, 'updated', { replayed: [null, count] })
        return { id, count }
      }),
  }),
}))
