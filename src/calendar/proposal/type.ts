// The GraphQL type of proposals.

import type { Settings } from '../../basics/env.ts'
import { takesInfo } from '../../engine/execution/record-resolvers.ts'
import type { ProposalKind, ProposalState } from '../../generated/prisma/enums.ts'
import { may } from '../../service/auth/permissions.ts'
import { builder, nodeIdOptions } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { Event } from '../event/type.ts'
import { Payload, type WriteResult, writtenRecordField } from '../lifecycle/payload.ts'
import { loadRecordById } from '../list/field-loader.ts'
import { findRecord } from '../list/records.ts'
import { enumValues } from '../rules/enums.ts'
import { readableFilter } from '../rules/status.ts'
import { toSiteLanguage } from '../text/served-languages.ts'
import { User } from '../user/type.ts'
import { type ProposedEvent, ProposedEventObject } from './proposed-event.ts'

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

export const Proposal = builder.prismaNode('Proposal', {
  id: nodeIdOptions,
  nullable: true,
  description:
    'What a visitor proposes: a new event, or a correction of one. For its sender, by the token of the edit link, and for users with the right EDIT_OTHERS.',
  select: { id: true },
  fields: (t) => ({
    kind: t.expose('kind', { type: ProposalKindEnum, description: 'A new event or a correction.' }),
    state: t.expose('state', { type: ProposalStateEnum, description: 'State of the proposal.' }),
    language: t.field({
      type: LanguageCode,
      nullable: true,
      description: 'Language of the texts; null if the site no longer has it.',
      select: { language: true },
      resolve: ({ language }, _args, context) => toSiteLanguage(language, context),
    }),
    event: t.field({
      type: Event,
      nullable: true,
      description:
        'The event to correct, or that was created; null before, if it was deleted, and if you may not see it.',
      extensions: { [takesInfo]: true },
      select: { eventId: true },
      resolve: async ({ eventId }, _args, context, info) => {
        if (eventId === null) return null
        const where = { AND: [{ id: eventId }, readableFilter(context)] }
        return findRecord<{ id: number }>(context, 'event', buildSelection(context, info), where)
      },
    }),
    proposed: t.field({
      type: ProposedEventObject,
      description: 'The proposed values; of a correction those that differ from the event.',
      select: { proposed: true },
      resolve: ({ proposed }) => proposed as ProposedEvent,
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
      extensions: { [takesInfo]: true },
      select: { decidedById: true },
      resolve: ({ decidedById }, _args, context, info) =>
        may(context.viewer, 'editOthers') ? loadRecordById('user', decidedById, context, info) : null,
    }),
    contactName: t.string({
      nullable: true,
      description: 'Name of the sender; null once it was deleted, after PROPOSAL_CONTACT_DAYS.',
      select: { contact: { select: { name: true } } },
      resolve: ({ contact }) => contact?.name,
    }),
    contactEmail: t.string({
      nullable: true,
      description: 'E-mail address of the sender, empty if unknown; null once it was deleted.',
      select: { contact: { select: { email: true } } },
      resolve: ({ contact }) => contact?.email,
    }),
  }),
})

export interface ProposalResult extends WriteResult {
  /** Token of the edit link, which is shown once. */
  readonly token?: string
}

const written = writtenRecordField('proposal', Proposal)

export const ProposalPayload = builder.objectRef<ProposalResult>('ProposalPayload').implement({
  description: 'Result of writing a proposal.',
  interfaces: [Payload],
  fields: (t) => ({
    proposal: t.field({
      ...written,
      // A bot does not learn that its proposal was not stored.
      resolve: (result, args, context, info) => (result.id === 0 ? null : written.resolve(result, args, context, info)),
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

/** What a mutation reads of the proposal that it locks. */
export interface LockedProposal {
  readonly id: number
  readonly kind: ProposalKind
  readonly state: ProposalState
  readonly language: string
  readonly eventId: number | null
  readonly proposed: ProposedEvent
}

export const isOpen = ({ state }: { readonly state: ProposalState }) => state === 'pending' || state === 'asked'

/** The edit link of a proposal. The token is in the query string, because requests are logged with their path. */
export const proposalUrl = (token: string, language: string, { publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  `${publicUrl}/${language}/propose/sent?token=${token}`
