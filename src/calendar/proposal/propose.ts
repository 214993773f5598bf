// What visitors may do: ask for a challenge, look for similar events, propose, and change their proposal by its edit link.
import { badInputError, conflictError, forbiddenError, tooManyProposalsError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import { dateToWallClock } from '../../basics/time.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { networkOf } from '../../service/auth/login-throttle.ts'
import { generateSecret, hashSecret } from '../../service/auth/secrets.ts'
import { type Context, readFromPrimary } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { Event } from '../event/type.ts'
import { mutateAccounts } from '../lifecycle/mutation.ts'
import { Payload, type WriteResult } from '../lifecycle/payload.ts'
import { loadRecordById } from '../list/field-loader.ts'
import { findRecord } from '../list/records.ts'
import { idDescription, parseReferenceId } from '../rules/identify.ts'
import { publishedFilter } from '../rules/status.ts'
import { foldLine } from '../text/fold.ts'
import { checkEmail, readLineInput, readTextInput } from '../text/text-input.ts'
import { mailProposalSender } from './mail.ts'
import { checkProof, issueChallenge, type Proof, pseudonymOf } from './proof.ts'
import { type ProposedEvent, proposedFieldNames, proposedInputFields, readProposedEvent } from './proposed-event.ts'
import { isOpen, type LockedProposal, Proposal, ProposalPayload, proposalUrl } from './type.ts'

const { sql } = Prisma

/** Maximum number of proposals of a network: per hour, per day, and open at once. */
const networkLimits = { perHour: 5, perDay: 20, open: 10 }
/** Maximum number of proposals of the site: per day, open at once, and without proof of work per hour. */
const limits = { perDay: 200, open: 500, withoutProofPerHour: 10 }
/** Maximum number of events whose title is compared with that of a proposal. */
const maxCompared = 1000
const hour = 60 * 60 * 1000
const maxMessage = 2000

const off = () => forbiddenError('This site does not accept proposals: the setting PROPOSALS is off.')

function requireOn({ settings }: Context): void {
  if (!settings.proposals) throw off()
}

const messageField = (t: InputFields) =>
  t.string({ description: `Message to the editors, at most ${maxMessage} characters.` })

const senderFields = (t: InputFields) => ({
  message: messageField(t),
  contactName: t.string({ description: 'Name of the sender, for questions.' }),
  contactEmail: t.string({ description: 'E-mail address of the sender, for questions.' }),
  proof: t.string({
    required: true,
    description:
      'Base64 of the JSON text {"challenge": …, "solution": …}, as ALTCHA creates it, with an unused challenge from `createProposalChallenge`. Omit "solution" if the client cannot compute it: the service then accepts the proposal no earlier than 20 seconds after it issued the challenge, and only a few such proposals per hour.',
  }),
  homepage: t.string({ description: 'Omit it: only bots fill it in.' }),
})

const ProposeEventInput = builder.inputType('ProposeEventInput', {
  description: 'A new event that a visitor proposes, in the language of the operation.',
  fields: (t) => ({ ...proposedInputFields(t, true), ...senderFields(t) }),
})

const ProposeChangeInput = builder.inputType('ProposeChangeInput', {
  description: 'A correction of a published event. Fields that the input omits stay as they are.',
  fields: (t) => ({
    eventId: t.id({ required: true, description: idDescription('event') }),
    ...proposedInputFields(t, false),
    ...senderFields(t),
  }),
})

const UpdateProposalInput = builder.inputType('UpdateProposalInput', {
  description: "Changes to the sender's proposal. Fields that the input omits stay unchanged.",
  fields: (t) => ({
    token: t.string({ required: true, description: 'The token in the edit link.' }),
    ...proposedInputFields(t, false),
    message: messageField(t),
  }),
})

type Sent = Omit<typeof ProposeChangeInput.$inferInput, 'eventId'>

builder.queryFields((t) => ({
  proposal: t.field({
    type: Proposal,
    nullable: true,
    description: 'Finds a proposal by the token in its edit link; null for an unknown token.',
    args: { token: t.arg.string({ required: true, description: 'The token in the edit link.' }) },
    resolve: (_root, { token }, context, info) => {
      context.recorder?.preventCaching()
      const source = readFromPrimary(context)
      const where = { tokenHash: hashSecret(token.slice(0, 100)) }
      return findRecord<{ id: number }>(source, 'proposal', buildSelection(source, info), where)
    },
  }),
  similarEvents: t.field({
    type: [Event],
    description:
      'Returns at most 5 published events that start on or next to this day and have a similar title in any language, the most similar first. Use it to warn a visitor of a duplicate proposal.',
    extensions: complexity({ weight: 1000, assumedSize: 5 }),
    args: {
      title: t.arg.string({ required: true, description: 'Title of the event.' }),
      day: t.arg({ type: 'LocalDate', required: true, description: 'Local day of the start.' }),
    },
    resolve: async (_root, { title, day }, context, info) => {
      const name = foldLine(readLineInput(title.slice(0, 100)) ?? '')
      const rows = await context.reads.rows<{ id: number }>(sql`
        SELECT e.id FROM (
          SELECT id, content_id FROM event
          WHERE starts_local >= ${day}::date - 1 AND starts_local < ${day}::date + 2 AND NOT hide_from_listings
            AND live AND published_at <= ${context.now}::timestamptz AND password_key IS NULL
          ORDER BY abs(starts_local::date - ${day}::date), id LIMIT ${maxCompared}
        ) e JOIN content_text t ON t.content_id = e.content_id
        WHERE similarity(t.folded_name, ${name}) > 0.35
        GROUP BY e.id ORDER BY max(similarity(t.folded_name, ${name})) DESC, e.id LIMIT 5`)
      const events = await Promise.all(rows.map(({ id }) => loadRecordById('event', id, context, info)))
      return events.filter((event) => event !== null)
    },
  }),
}))

const ProposalChallengePayload = builder
  .objectRef<{ challenge: object | null } & WriteResult>('ProposalChallengePayload')
  .implement({
    description: 'Result of creating a challenge.',
    interfaces: [Payload],
    fields: (t) => ({
      challenge: t.expose('challenge', {
        type: 'JSON',
        nullable: true,
        description: 'The challenge: {"parameters": …, "signature": …}; null if the site accepts no proposals.',
      }),
    }),
  })

builder.mutationFields((t) => ({
  createProposalChallenge: t.field({
    type: ProposalChallengePayload,
    description:
      'Creates a challenge of ALTCHA (PBKDF2/SHA-256), which the sender of a proposal solves within two hours. It can be used once. Nothing is stored.',
    resolve: async (_root, _args, context) => {
      requireOn(context)
      return { id: null, challenge: await issueChallenge(context), userErrors: [] }
    },
  }),
  proposeEvent: t.field({
    type: ProposalPayload,
    description:
      'Proposes a new event. Only editors see it until they accept it. Needs no sign-in. Fails if the setting PROPOSALS is off.',
    args: { input: t.arg({ type: ProposeEventInput, required: true, description: 'The proposed event.' }) },
    resolve: (_root, { input }, context) => send(context, input),
  }),
  proposeChange: t.field({
    type: ProposalPayload,
    description:
      'Proposes a correction of a published event. Only editors see the proposal. Needs no sign-in. Fails if the setting PROPOSALS is off.',
    args: { input: t.arg({ type: ProposeChangeInput, required: true, description: 'The proposed correction.' }) },
    resolve: (_root, { input: { eventId, ...input } }, context) => send(context, input, eventId),
  }),
  updateProposal: t.field({
    type: ProposalPayload,
    description: 'Changes a proposal that no editor has accepted or declined yet, and sets its state to PENDING.',
    args: { input: t.arg({ type: UpdateProposalInput, required: true, description: 'Changes to the proposal.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts<{ id: number }, ProposedEvent>(
        context,
        (tx, proposed) => update(tx, input, proposed, context),
        undefined,
        () => readProposedEvent(input),
      ),
  }),
}))

interface Prepared {
  readonly proof: Proof
  readonly proposed: ProposedEvent
  readonly eventId: number | undefined
  readonly sender: { readonly message: string; readonly name: string; readonly email: string }
}

/** Checks a proposal without the database, and stores it. `eventId`: the event to correct. */
async function send(context: Context, input: Sent, event?: string) {
  // A repeated Idempotency-Key gets no token, of which only a hash is stored, and no second mail.
  const result = await mutateAccounts(
    context,
    async (tx, prepared: Prepared | undefined) => {
      const token = generateSecret()
      return { id: prepared ? await store(tx, prepared, token, context) : 0, token }
    },
    ({ id }) => ({ id }),
    async () => {
      requireOn(context)
      // A bot does not learn that it was noticed.
      if (input.homepage) return undefined
      const checked = await checkAll({
        eventId: () => parseReferenceId('event', event, 'eventId'),
        proposed: () => readProposedEvent(input),
        sender: () => readSender(input),
      })
      return { ...checked, proof: await checkProof(input.proof, context) }
    },
  )
  const { settings, language } = context
  if (result.id && 'token' in result && result.token !== undefined) {
    const link = proposalUrl(result.token, language, settings)
    mailProposalSender(context, 'sent', { email: readLineInput(input.contactEmail) ?? '', language, link })
  }
  return result
}

const readSender = ({ message, contactName, contactEmail }: Sent) =>
  checkAll({
    message: () => readMessage(message),
    name: () => limited('contactName', readLineInput(contactName) ?? '', 100),
    email: () => checkEmail('contactEmail', contactEmail) ?? '',
  })

const readMessage = (message: string | null | undefined) => limited('message', readTextInput(message) ?? '', maxMessage)

function limited(field: string, text: string, max: number): string {
  if (text.length <= max) return text
  throw badInputError({ [field]: `${field} can have at most ${max} characters.` })
}

async function store(
  tx: Tx,
  { proof, proposed, eventId, sender: { message, name, email } }: Prepared,
  token: string,
  context: Context,
): Promise<number> {
  const { now, language, address } = context
  await acquireAdvisoryLock(tx, 'proposals')
  if (await tx.proposal.count({ where: { challenge: proof.challenge } })) {
    throw badInputError({ proof: 'The challenge was used already. Ask for a new one.' })
  }
  const sender = pseudonymOf(address === undefined ? '' : networkOf(address, 48), context)
  await requireRoom(tx, sender, proof, now)
  const differing = eventId === undefined ? proposed : await differences(tx, eventId, proposed, context)
  if (Object.keys(differing).length === 0 && message === '') {
    throw badInputError({ message: 'Propose a value that differs from the event, or write a message.' })
  }
  const data: Prisma.ProposalUncheckedCreateInput = {
    ...{
      kind: eventId === undefined ? ('event' as const) : ('change' as const),
      language,
      eventId,
      proposed: differing,
      message,
    },
    ...{ tokenHash: hashSecret(token), challenge: proof.challenge, unproven: proof.isUnproven },
    ...{ createdAt: now, modifiedAt: now, contact: { create: { name, email, sender, createdAt: now } } },
  }
  return (await tx.proposal.create({ data, select: { id: true } })).id
}

/** Throws tooManyProposalsError above a limit. The caller holds the lock of proposals. */
async function requireRoom(tx: Tx, sender: string, { isUnproven }: Proof, now: Date): Promise<void> {
  const since = (hours: number) => new Date(now.getTime() - hours * hour)
  const ofSender = (hours: number) => tx.proposalContact.count({ where: { sender, createdAt: { gt: since(hours) } } })
  const { perHour, perDay, open: maxOpen } = networkLimits
  if ((await ofSender(1)) >= perHour || (await ofSender(24)) >= perDay) {
    throw tooManyProposalsError(
      `You can send ${perHour} proposals per hour and ${perDay} per day. Try again later.`,
      3600,
    )
  }
  const ofOpen = { state: { in: ['pending', 'asked'] } } satisfies Prisma.ProposalWhereInput
  if ((await tx.proposal.count({ where: { ...ofOpen, contact: { sender } } })) >= maxOpen) {
    throw tooManyProposalsError(`${maxOpen} of your proposals wait for a decision. Try again tomorrow.`, 86_400)
  }
  const ofSite = await tx.proposal.count({ where: { createdAt: { gt: since(24) } } })
  const open = await tx.proposal.count({ where: ofOpen })
  if (ofSite >= limits.perDay || open >= limits.open) {
    throw tooManyProposalsError('This site has many proposals to read. Try again tomorrow.', 86_400)
  }
  if (!isUnproven) return
  const unproven = await tx.proposal.count({ where: { unproven: true, createdAt: { gt: since(1) } } })
  if (unproven >= limits.withoutProofPerHour) {
    throw tooManyProposalsError('Too many proposals were sent without a solution. Solve the challenge.', 3600)
  }
}

/** Returns the values that differ from those of a published event. Throws if visitors cannot see it. */
async function differences(tx: Tx, id: number, proposed: ProposedEvent, { language, now }: Context) {
  const first = { orderBy: { position: 'asc' }, take: 1 } as const
  const event = await tx.event.findFirst({
    where: { AND: [{ id }, publishedFilter(now), { passwordKey: null }] },
    select: {
      ...{ startsLocal: true, endsLocal: true, website: true, cost: true },
      texts: { where: { language }, select: { name: true } },
      venues: { ...first, where: { venue: publishedFilter(now) }, select: { venue: { select: textsIn(language) } } },
      organizers: {
        ...{ ...first, where: { organizer: publishedFilter(now) } },
        select: { organizer: { select: textsIn(language) } },
      },
    },
  })
  if (!event) throw badInputError({ eventId: 'There is no published event with this ID.' })
  const stored: ProposedEvent = {
    title: event.texts[0]?.name ?? '',
    startsLocal: dateToWallClock(event.startsLocal),
    endsLocal: dateToWallClock(event.endsLocal),
    website: event.website ?? '',
    cost: event.cost.join(', '),
    venueName: event.venues[0]?.venue.texts[0]?.name ?? '',
    // The form shows neither, so an empty one removes nothing.
    ...{ address: '', city: '' },
    organizerName: event.organizers[0]?.organizer.texts[0]?.name ?? '',
  }
  return Object.fromEntries(
    proposedFieldNames.flatMap((field) => {
      const text = proposed[field]
      return text === undefined || text === stored[field] ? [] : [[field, text]]
    }),
  ) as ProposedEvent
}

const textsIn = (language: string) => ({ texts: { where: { language }, select: { name: true } } })

async function update(
  tx: Tx,
  { token, message }: typeof UpdateProposalInput.$inferInput,
  proposed: ProposedEvent,
  context: Context,
) {
  requireOn(context)
  const tokenHash = hashSecret(token.slice(0, 100))
  const [row] = await tx.$queryRaw<Pick<LockedProposal, 'id' | 'state' | 'proposed'>[]>`
    SELECT id, state::text, proposed FROM proposal WHERE token_hash = ${tokenHash} FOR UPDATE`
  if (!row) throw badInputError({ token: 'No proposal has this edit link.' })
  if (!isOpen(row)) throw conflictError('The proposal was decided already.')
  const data = { proposed: { ...row.proposed, ...proposed }, state: 'pending', modifiedAt: context.now } as const
  const text = message == null ? undefined : readMessage(message)
  await tx.proposal.update({ where: { id: row.id }, data: { ...data, ...(text !== undefined && { message: text }) } })
  return { id: row.id }
}
