// The GraphQL type of proposals, and how they are read.
import { encodeGlobalID } from '@pothos/plugin-relay'
import type { Settings } from '../../basics/env.ts'
import { badInputError } from '../../basics/errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { ProposalKind, ProposalState } from '../../generated/prisma/enums.ts'
import { may } from '../../service/auth/permissions.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { Event } from '../event/type.ts'
import { Payload, type WriteResult } from '../lifecycle/payload.ts'
import { findRecord } from '../list/records.ts'
import { enumValues } from '../rules/enums.ts'
import { parseDatabaseId } from '../rules/identify.ts'
import { readableFilter } from '../rules/status.ts'
import { toSiteLanguage } from '../text/served-languages.ts'
import { User } from '../user/type.ts'
import { type ProposedEvent, ProposedEventObject } from './proposed-event.ts'

const { sql } = Prisma

export interface ProposalRow {
  readonly id: number
  readonly kind: ProposalKind
  readonly state: ProposalState
  readonly language: string
  readonly eventId: number | null
  readonly proposed: ProposedEvent
  readonly message: string
  readonly reply: string
  readonly createdAt: Date
  readonly modifiedAt: Date
  readonly decidedAt: Date | null
  readonly decidedById: number | null
  readonly contactName: string | null
  readonly contactEmail: string | null
}

/** Reads proposals; add a WHERE clause. */
export const proposalsSql = sql`
  SELECT p.id, p.kind::text, p.state::text, p.language, p.event_id AS "eventId", p.proposed, p.message, p.reply,
    p.created_at AS "createdAt", p.modified_at AS "modifiedAt", p.decided_at AS "decidedAt", p.decided_by_id AS "decidedById",
    c.name AS "contactName", c.email AS "contactEmail"
  FROM proposal p LEFT JOIN proposal_contact c ON c.proposal_id = p.id`

export const ProposalStateEnum = builder.enumType('ProposalState', {
  description: 'State of a proposal.',
  values: enumValues<ProposalState>({
    pending: 'The proposal waits for the decision of an editor.',
    asked: 'The proposal waits for the sender, whom an editor asked a question.',
    accepted: 'An event was created or updated.',
    declined: 'An editor declined the proposal.',
  }),
})

const ProposalKindEnum = builder.enumType('ProposalKind', {
  description: 'What is proposed.',
  values: enumValues<ProposalKind>({ event: 'A new event.', change: 'A correction of an event.' }),
})

export const Proposal = builder.objectRef<ProposalRow>('Proposal').implement({
  description:
    'What a visitor proposes: a new event, or a correction of one. For its sender, by the token of the edit link, and for users with the right EDIT_OTHERS.',
  fields: (t) => ({
    id: t.id({
      description: 'ID for the mutations, unique among all records.',
      resolve: ({ id }) => encodeGlobalID('Proposal', id),
    }),
    kind: t.expose('kind', { type: ProposalKindEnum, description: 'A new event or a correction.' }),
    state: t.expose('state', { type: ProposalStateEnum, description: 'State of the proposal.' }),
    language: t.field({
      type: LanguageCode,
      nullable: true,
      description: 'Language of the texts; null if the site no longer has it.',
      resolve: ({ language }, _args, context) => toSiteLanguage(language, context),
    }),
    event: t.field({
      type: Event,
      nullable: true,
      description:
        'The event to correct, or that was created; null before, if it was deleted, and if you may not see it.',
      resolve: async ({ eventId }, _args, context, info) => {
        if (eventId === null) return null
        const where = { AND: [{ id: eventId }, readableFilter(context)] }
        return findRecord<{ id: number }>(context, 'event', buildSelection(context, info), where)
      },
    }),
    proposed: t.expose('proposed', {
      type: ProposedEventObject,
      description: 'The proposed values; of a correction those that differ from the event.',
    }),
    message: t.exposeString('message', { description: 'Message of the sender to the editors; empty for none.' }),
    reply: t.exposeString('reply', { description: 'Question or reason of an editor to the sender; empty for none.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was sent.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was last changed by its sender.' }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was accepted or declined; null before.',
    }),
    decidedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who decided; null before, and for users without the right EDIT_OTHERS.',
      resolve: ({ decidedById }, _args, context, info) =>
        decidedById === null || !may(context.viewer, 'editOthers')
          ? null
          : findRecord<{ id: number }>(context, 'user', buildSelection(context, info), { id: decidedById }),
    }),
    contactName: t.exposeString('contactName', {
      nullable: true,
      description: 'Name of the sender; null once it was deleted, after PROPOSAL_CONTACT_DAYS.',
    }),
    contactEmail: t.exposeString('contactEmail', {
      nullable: true,
      description: 'E-mail address of the sender, empty if unknown; null once it was deleted.',
    }),
  }),
})

export interface ProposalResult extends WriteResult {
  /** Token of the edit link, which is shown once. */
  readonly token?: string
}

export const ProposalPayload = builder.objectRef<ProposalResult>('ProposalPayload').implement({
  description: 'Result of writing a proposal.',
  interfaces: [Payload],
  fields: (t) => ({
    proposal: t.field({
      type: Proposal,
      nullable: true,
      description: 'The proposal after the change; null if nothing was written.',
      resolve: async ({ id }, _args, context) => {
        const [row] = await context.reads.rows<ProposalRow>(sql`${proposalsSql} WHERE p.id = ${id}::int`)
        return row ?? null
      },
    }),
    editUrl: t.field({
      type: 'URL',
      nullable: true,
      description:
        'Page on which the sender sees what becomes of a new proposal, and changes it. Returned once; null for other mutations.',
      resolve: ({ token }, _args, { settings, language }) =>
        token === undefined ? null : proposalUrl(token, language, settings),
    }),
  }),
})

/** Returns the ID in a global ID or a number. Throws badInputError. */
export function parseProposalId(text: string): number {
  const decoded = Buffer.from(text, 'base64').toString()
  const id = parseDatabaseId(decoded.startsWith('Proposal:') ? decoded.slice('Proposal:'.length) : text)
  if (id !== undefined) return id
  throw badInputError({ proposalId: 'Invalid ID. Send the `id` of a proposal.' })
}

export const isOpen = ({ state }: Pick<ProposalRow, 'state'>) => state === 'pending' || state === 'asked'

/** The edit link of a proposal. The token is in the query string, because requests are logged with their path. */
export const proposalUrl = (token: string, language: string, { publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  `${publicUrl}/${language}/propose/sent?token=${token}`
