import type { InputRef } from '@pothos/core'
import { withCapitalArticle } from '../../kinds.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { identityInputFields, ifUnmodifiedSinceField, postInputFields } from '../lifecycle/post.ts'
import { CreateOrganizerInput } from '../organizer/write.ts'
import { idDescription } from '../rules/identify.ts'
import { CreateVenueInput } from '../venue/write.ts'
import { eventStateInputFields } from './state.ts'
import { uidInputFields } from './uid.ts'

const idOrCreateInput = <Input>(kind: 'venue' | 'organizer', name: string, createInput: InputRef<Input>) =>
  builder.inputType(name, {
    description: `${withCapitalArticle(kind)} of an event: an existing or a new one.`,
    isOneOf: true,
    fields: (t) => ({
      id: t.id({ description: idDescription(kind) }),
      create: t.field({ type: createInput, description: `${withCapitalArticle(kind)} to create with the event.` }),
    }),
  })

const EventVenueInput = idOrCreateInput('venue', 'EventVenueInput', CreateVenueInput)
const EventOrganizerInput = idOrCreateInput('organizer', 'EventOrganizerInput', CreateOrganizerInput)

const termId = 'Global ID, databaseId or slug. Digits are a databaseId.'

const EventTermInput = builder.inputType('EventTermInput', {
  description: 'A category or tag of an event.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: `A category or tag that must exist. ${termId}` }),
    idIfExists: t.id({ description: `A category or tag that is ignored if it does not exist. ${termId}` }),
    nameOrSlug: t.string({
      description: 'Name or slug of a category or tag, which is created if it does not exist.',
    }),
  }),
})

const TicketInput = builder.inputType('TicketInput', {
  description: 'A kind of ticket.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of this kind of ticket.' }),
    price: t.string({ required: true, description: 'Decimal number with at most two decimal places, such as 12.50.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, such as EUR.' }),
    capacity: t.int({ description: 'Number of tickets; null: unlimited.' }),
    salesStart: t.field({ type: 'DateTime', description: 'When sales begin.' }),
    salesEnd: t.field({ type: 'DateTime', description: 'When sales end.' }),
  }),
})

const CustomFieldInput = builder.inputType('CustomFieldInput', {
  description: 'A custom field of the site.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Machine-readable name.' }),
    label: t.string({ required: true, description: 'Human-readable name.' }),
    value: t.field({ type: 'JSON', required: true, description: 'Any JSON value.' }),
  }),
})

const eventInputs = (t: InputFields) => ({
  ...postInputFields(t),
  startsLocal: t.field({ type: 'LocalDateTime', description: 'Local time of the start.' }),
  endsLocal: t.field({ type: 'LocalDateTime', description: 'Local time of the end, not before the start.' }),
  startsAt: t.field({
    type: 'DateTime',
    description:
      'Instant of the start, instead of startsLocal. If both are set, startsLocal counts, and startsAt only says which of two equal local times is meant when the clocks are set back.',
  }),
  endsAt: t.field({
    type: 'DateTime',
    description:
      'Instant of the end, instead of endsLocal. If both are set, endsLocal counts, and endsAt only says which of two equal local times is meant when the clocks are set back.',
  }),
  timeZone: t.string({
    description: 'IANA time zone or fixed offset such as `UTC+5:30`; by default, and if empty, the one of the site.',
  }),
  allDay: t.boolean({ description: 'All-day event: its start and end move to the start and end of their days.' }),
  ...eventStateInputFields(t),
  ...uidInputFields(t),
  cost: t.stringList({
    description: 'Prices or texts such as `Free`, as `costEntries` returns them; empty if unknown.',
  }),
  website: t.string({
    description: "Absolute URL, or empty text for none. Null stands for the event's page on this site.",
  }),
  showMap: t.boolean({ description: 'Whether to show a map.' }),
  showMapLink: t.boolean({ description: 'Whether to show a link to a map.' }),
  hideFromListings: t.boolean({ description: 'Whether lists leave out the event.' }),
  sticky: t.boolean({ description: 'Whether it comes first on its day in calendar views.' }),
  featured: t.boolean({ description: 'Whether it is featured on the site.' }),
  parentId: t.id({ description: `The parent event; null for none. ${idDescription('event')}` }),
  venues: t.field({ type: [EventVenueInput], description: 'All venues of the event, in order.' }),
  organizers: t.field({ type: [EventOrganizerInput], description: 'All organizers of the event, in order.' }),
  categories: t.field({ type: [EventTermInput], description: 'All categories of the event.' }),
  tags: t.field({ type: [EventTermInput], description: 'All tags of the event.' }),
  tickets: t.field({ type: [TicketInput], description: 'All tickets of the event, in order.' }),
  customFields: t.field({ type: [CustomFieldInput], description: 'All custom fields of the event.' }),
})

export const CreateEventInput = builder.inputType('CreateEventInput', {
  description: 'A new event; its text is in the language of the operation.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Plain text, not empty.' }),
    ...eventInputs(t),
  }),
})

export const UpdateEventInput = builder.inputType('UpdateEventInput', {
  description: 'Changes to an event. Omitted fields stay unchanged. Lists replace existing lists.',
  fields: (t) => ({
    ...identityInputFields(t),
    title: t.string({ description: 'Plain text, not empty.' }),
    ...eventInputs(t),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

export type CreateEvent = typeof CreateEventInput.$inferInput
export type UpdateEvent = typeof UpdateEventInput.$inferInput
