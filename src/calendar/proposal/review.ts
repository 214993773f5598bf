// What editors do with proposals: read the queue, accept, ask, decline.
import type { ObjectRef } from '@pothos/core'
import { badInputError, conflictError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { ProposalState } from '../../generated/prisma/enums.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder, type SchemaTypes } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import type { CreateEventValues } from '../event/inputs.ts'
import { createEvent } from '../event/write.ts'
import { runMutation } from '../lifecycle/mutation.ts'
import { updateRecord } from '../lifecycle/record-mutations.ts'
import { scopeField } from '../lifecycle/trash.ts'
import type { ListOrder } from '../list/list-query.ts'
import { loadConnections, nodePaths } from '../list/pages.ts'
import { getConnectionType } from '../list/record-connection.ts'
import { RecordStatus } from '../rules/enums.ts'
import { idDescription, parseReferenceId } from '../rules/identify.ts'
import { publishedFilter } from '../rules/status.ts'
import { readTextInput } from '../text/text-input.ts'
import { mailProposalSender } from './mail.ts'
import { type ProposedEvent, proposedFieldNames, toEventInput, withDefaults } from './proposed-event.ts'
import { isOpen, type LockedProposal, Proposal, ProposalPayload, ProposalStateEnum } from './type.ts'

const proposalType: ObjectRef<SchemaTypes, object> = Proposal
const newestFirst: ListOrder = { keys: [{ column: 'id', type: 'integer', descending: true, order: 'proposal' }] }

builder.queryField('proposals', (t) =>
  t.connection(
    {
      type: proposalType,
      description:
        'What visitors propose, the newest first. Events that users without the right to publish wrote are in `events(filter: { status: [PENDING] })`. For users with the right EDIT_OTHERS.',
      extensions: complexity({ weight: 50, slicingArguments: ['first', 'last'] }),
      args: {
        states: t.arg({ type: [ProposalStateEnum], description: 'Only these states. Default: PENDING and ASKED.' }),
      },
      resolve: async (_root, { states, ...args }, context, info) => {
        requirePermission(context.viewer, 'editOthers')
        const where = { state: { in: states ?? ['pending', 'asked'] } }
        const list = { where, order: newestFirst, selection: buildSelection(context, info, nodePaths) }
        const [connection] = await loadConnections<object>(context, 'proposal', list, args, info)
        return connection
      },
    },
    getConnectionType('proposal', proposalType),
  ),
)

const proposalId = 'ID of the proposal.'

const AcceptProposalInput = builder.inputType('AcceptProposalInput', {
  description: 'Which parts of a proposal to accept.',
  fields: (t) => ({
    proposalId: t.id({ required: true, description: proposalId }),
    fields: t.stringList({ description: 'Names of the proposed fields to accept, such as `title`. Default: all.' }),
    status: t.field({
      type: RecordStatus,
      description: 'Status of a new event, such as DRAFT to complete it first. Default: PUBLISHED.',
    }),
    venueId: t.id({
      description: `Place of the event, instead of the one with the proposed name, which is created if there is none. ${idDescription('venue')}`,
    }),
    scope: scopeField(t),
  }),
})

const AnswerProposalInput = builder.inputType('AnswerProposalInput', {
  description: 'An answer to the sender of a proposal.',
  fields: (t) => ({
    proposalId: t.id({ required: true, description: proposalId }),
    reply: t.string({
      required: true,
      description: 'The question or reason, at most 2000 characters, which the sender reads under the edit link.',
    }),
  }),
})

const answer = (state: 'asked' | 'declined', description: string) => (t: MutationFields) =>
  t.field({
    type: ProposalPayload,
    description,
    args: { input: t.arg({ type: AnswerProposalInput, required: true, description: 'The answer.' }) },
    resolve: (_root, { input }, context) =>
      decideAndMail(context, input, state, async (tx, { proposalId, reply }) => {
        const { id } = await lockProposal(tx, proposalId, context)
        const text = readTextInput(reply)
        if (!text) throw badInputError({ reply: 'reply must not be empty.' })
        return decide(tx, id, { state, reply: text }, context)
      }),
  })

type MutationFields = Parameters<Parameters<typeof builder.mutationField>[1]>[0]

builder.mutationFields((t) => ({
  acceptProposal: t.field({
    type: ProposalPayload,
    description:
      'Creates the proposed event, or updates the event with the proposed correction, with all checks of `createEvent` and `updateEvent`. An address or city without another place is written to the venue of the event. For users with the right EDIT_OTHERS.',
    args: { input: t.arg({ type: AcceptProposalInput, required: true, description: 'Which parts to accept.' }) },
    resolve: (_root, { input }, context) =>
      decideAndMail(context, input, 'accepted', (tx, checked) => accept(tx, checked, context)),
  }),
  askAboutProposal: answer(
    'asked',
    'Asks the sender of a proposal, who then changes it. For users with the right EDIT_OTHERS.',
  )(t),
  declineProposal: answer('declined', 'Declines a proposal with a reason. For users with the right EDIT_OTHERS.')(t),
}))

/** Runs the mutation, and then mails the decision to the sender of the proposal. */
function decideAndMail<Input extends object>(
  context: Context,
  input: Input,
  state: Exclude<ProposalState, 'pending'>,
  work: (tx: Tx, input: Input) => Promise<number>,
) {
  return runMutation(context, input, work, async (id) => {
    if (!context.settings.smtpUrl) return
    const row = await context.db.proposal.findUnique({ where: { id }, include: { contact: true } })
    if (row) mailProposalSender(context, state, { email: row.contact?.email ?? null, ...row })
  })
}

async function lockProposal(tx: Tx, id: string, { viewer }: Context): Promise<LockedProposal> {
  requirePermission(viewer, 'editOthers')
  const [row] = await tx.$queryRaw<LockedProposal[]>`
    SELECT id, kind::text, state::text, language, event_id AS "eventId", proposed FROM proposal
    WHERE id = ${parseReferenceId('proposal', id, 'proposalId')}::int FOR UPDATE`
  if (!row) throw badInputError({ proposalId: 'There is no proposal with this ID.' })
  if (!isOpen(row)) throw conflictError('The proposal was decided already.')
  return row
}

async function accept(tx: Tx, input: typeof AcceptProposalInput.$inferInput, given: Context): Promise<number> {
  const { id, kind, language, eventId, proposed } = await lockProposal(tx, input.proposalId, given)
  const unknown = input.fields?.find((name) => !proposedFieldNames.some((field) => field === name))
  if (unknown !== undefined) throw badInputError({ fields: `fields can contain ${proposedFieldNames.join(', ')}.` })
  const taken: ProposedEvent = Object.fromEntries(
    Object.entries(proposed).filter(([field]) => input.fields?.includes(field) ?? true),
  )
  const values = toEventInput(taken, input.venueId)
  const hasAddress = !values.venues && Boolean(taken.address || taken.city)
  if (hasAddress && proposed.venueName)
    throw badInputError({ fields: 'Address and city are those of the proposed place. Accept venueName with them.' })
  // The texts are in the language of the proposal.
  const context = given.settings.languages.includes(language) ? { ...given, language } : given
  if (kind === 'event') {
    const event = { ...withDefaults(values, context.settings), status: input.status ?? ('publish' as const) }
    return decide(tx, id, { state: 'accepted', eventId: await createEvent(tx, event, context) }, context)
  }
  if (eventId === null) throw conflictError('The event was deleted. Decline the proposal.')
  const links = await findLinks(tx, eventId, context.now)
  const changes = { ...withOtherLinks(links, values), id: String(eventId), scope: input.scope }
  await updateRecord('event', tx, changes, context)
  if (hasAddress) await correctAddress(tx, links.venues.first, taken, context)
  return decide(tx, id, { state: 'accepted' }, context)
}

interface Links {
  /** The first one that visitors see, which a correction replaces. */
  readonly first: number | undefined
  readonly others: readonly number[]
}

async function findLinks(tx: Tx, eventId: number, now: Date): Promise<Record<'venues' | 'organizers', Links>> {
  const read = async (venue?: object, organizer?: object) => {
    const order = { orderBy: { position: 'asc' } } as const
    const event = await tx.event.findUnique({
      where: { id: eventId },
      select: {
        venues: { ...order, where: { ...venue }, select: { venueId: true } },
        organizers: { ...order, where: { ...organizer }, select: { organizerId: true } },
      },
    })
    return {
      venues: (event?.venues ?? []).map(({ venueId }) => venueId),
      organizers: (event?.organizers ?? []).map(({ organizerId }) => organizerId),
    }
  }
  const published = publishedFilter(now)
  const [all, seen] = [await read(), await read({ venue: published }, { organizer: published })]
  const split = (ids: readonly number[], [first]: readonly number[]) => ({
    first,
    others: ids.filter((id) => id !== first),
  })
  return { venues: split(all.venues, seen.venues), organizers: split(all.organizers, seen.organizers) }
}

/** Adds the other places and organizers of the event, because a correction replaces only the first ones. */
function withOtherLinks(
  links: Record<'venues' | 'organizers', Links>,
  { venues, organizers, ...values }: Partial<CreateEventValues>,
): Partial<CreateEventValues> {
  const othersOf = ({ others }: Links) => others.map((id) => ({ id: String(id) }))
  return {
    ...values,
    ...(venues && { venues: [...venues, ...othersOf(links.venues)] }),
    ...(organizers && { organizers: [...organizers, ...othersOf(links.organizers)] }),
  }
}

/** Writes an address or city that was corrected without another place to the venue, which all of its events share. */
async function correctAddress(tx: Tx, venueId: number | undefined, { address, city }: ProposedEvent, context: Context) {
  if (venueId === undefined)
    throw badInputError({ fields: 'The event has no place with an address. Accept the other fields.' })
  await updateRecord('venue', tx, { id: String(venueId), ...(address && { address }), ...(city && { city }) }, context)
}

interface Decision {
  readonly state: ProposalState
  readonly eventId?: number
  readonly reply?: string
}

async function decide(tx: Tx, id: number, decision: Decision, { viewer, now }: Context): Promise<number> {
  const by = decision.state === 'asked' ? {} : { decidedAt: now, decidedById: viewer?.id || null }
  await tx.proposal.update({ where: { id }, data: { ...decision, ...by } })
  return id
}
