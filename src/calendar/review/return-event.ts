// The mutation `returnEvent`: an editor returns a pending event to its author, with a message.
import { conflictError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { mayEdit, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { recordResolver } from '../../service/graphql/record-resolver.ts'
import { sendMail, templatesIn } from '../../service/mail.ts'
import { Event } from '../event/type.ts'
import { runMutation } from '../lifecycle/mutation.ts'
import { Payload, type WriteResult, writtenRecordField } from '../lifecycle/payload.ts'
import { lockPost } from '../lifecycle/post.ts'
import { updateRecord } from '../lifecycle/record-mutations.ts'
import { idDescription } from '../rules/identify.ts'
import { ownerColumns } from '../rules/record-password.ts'
import { asSeries } from '../series/dates.ts'
import { readTextInput } from '../text/text-input.ts'
import en from './mail/en.json' with { type: 'json' }
import es from './mail/es.json' with { type: 'json' }
import fr from './mail/fr.json' with { type: 'json' }

const ReturnEventPayload = builder.objectRef<WriteResult>('ReturnEventPayload').implement({
  description: 'Result of returning an event.',
  interfaces: [Payload],
  fields: (t) => ({ event: t.field(writtenRecordField('event', Event)) }),
})

const ReturnEventInput = builder.inputType('ReturnEventInput', {
  description: 'A pending event, and what its author is to change.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('event') }),
    message: t.string({ description: 'Message to the author, at most 2000 characters.' }),
  }),
})
type Input = typeof ReturnEventInput.$inferInput

builder.prismaObjectField(Event, 'reviewMessage', (t) =>
  t.string({
    nullable: true,
    description:
      'What an editor wrote to the author when the event was returned as a draft; null for none, once the event is no draft, and unless you may update the event.',
    select: { reviewMessage: true, ...ownerColumns },
    resolve: recordResolver((event, { viewer }) =>
      event.status === 'draft' && mayEdit(viewer, event) ? event.reviewMessage : null,
    ),
  }),
)

builder.mutationField('returnEvent', (t) =>
  t.field({
    type: ReturnEventPayload,
    description:
      'Makes a pending event, or all dates of its series, a draft again, with a message to the author. Mails the message if the site sends mail. For users with the right EDIT_OTHERS.',
    args: { input: t.arg({ type: ReturnEventInput, required: true, description: 'The event and the message.' }) },
    resolve: (_root, { input }, context) =>
      runMutation(
        context,
        input,
        (tx, checked) => returnEvent(tx, checked, context),
        (id) => mailAuthor(id, context),
      ),
  }),
)

async function returnEvent(tx: Tx, input: Input, context: Context): Promise<number> {
  requirePermission(context.viewer, 'editOthers')
  const reviewMessage = readTextInput(input.message) || null
  const { id, status } = await lockPost(tx, 'event', { id: input.id }, context)
  if (status !== 'pending') throw conflictError('The event does not await approval.')
  const changes = { id: String(id), status: 'draft', scope: 'byField' }
  await updateRecord('event', tx, changes, context)
  const { contentId, seriesId } = await tx.event.findUniqueOrThrow({ where: { id } })
  const write = () => tx.event.updateMany({ where: { contentId }, data: { reviewMessage } })
  await (seriesId === null ? write() : asSeries(tx, seriesId, write))
  return id
}

/** Starts to mail the message to the author. */
async function mailAuthor(id: number, { db, settings }: Context): Promise<void> {
  if (!settings.smtpUrl) return
  const event = await db.event.findUnique({ where: { id }, include: { author: true } })
  if (!event?.author?.email || event.reviewMessage === null) return
  const { email, locale } = event.author
  const { returned } = templatesIn({ en, fr, es }, locale, settings.defaultLanguage)
  const values = { link: `${settings.publicUrl}/edit/events/${id}`, message: event.reviewMessage }
  // A mail server that is slow or not available stops nothing: the form of the event shows the message, too.
  sendMail(settings, email, returned, values).catch(() => {})
}
