// What can be said of an event when it is written.
import { builder, type InputFields } from '../../graphql/builder.ts'
import { identityInputs, ifUnmodifiedSince, postInputs } from '../lifecycle/post.ts'
import { CreateOrganizerInput } from '../organizer/write.ts'
import { CreateVenueInput } from '../venue/write.ts'

const EventVenueInput = builder.inputType('EventVenueInput', {
  description: 'A venue of an event: one that is there, or a new one.',
  isOneOf: true,
  fields: (t) => ({
    id: t.int({ description: 'Number of a venue.' }),
    create: t.field({ type: CreateVenueInput, description: 'A venue to create with the event.' }),
  }),
})

const EventOrganizerInput = builder.inputType('EventOrganizerInput', {
  description: 'An organizer of an event: one that is there, or a new one.',
  isOneOf: true,
  fields: (t) => ({
    id: t.int({ description: 'Number of an organizer.' }),
    create: t.field({ type: CreateOrganizerInput, description: 'An organizer to create with the event.' }),
  }),
})

const EventTermInput = builder.inputType('EventTermInput', {
  description: 'A category or tag of an event.',
  isOneOf: true,
  fields: (t) => ({
    id: t.int({ description: 'Its number.' }),
    idIfThere: t.int({ description: 'Its number; passed over when there is none with it.' }),
    named: t.string({ description: 'Its slug, or its name; created when there is none.' }),
  }),
})

const TicketInput = builder.inputType('TicketInput', {
  description: 'A kind of ticket.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of this kind of ticket.' }),
    price: t.string({ required: true, description: 'Decimal number with at most two places, such as 12.50.' }),
    currency: t.string({ required: true, description: 'ISO 4217 code, such as EUR.' }),
    capacity: t.int({ description: 'How many there are; null: no limit.' }),
    salesStart: t.field({ type: 'DateTime', description: 'First moment of sale.' }),
    salesEnd: t.field({ type: 'DateTime', description: 'Last moment of sale.' }),
  }),
})

const CustomFieldInput = builder.inputType('CustomFieldInput', {
  description: 'An extra field of the site.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Name for programs.' }),
    label: t.string({ required: true, description: 'Name for people.' }),
    value: t.field({ type: 'JSON', required: true, description: 'Its value.' }),
  }),
})

const eventInputs = (t: InputFields) => ({
  ...postInputs(t),
  startsAt: t.field({ type: 'DateTime', description: 'Instant of the start, instead of its wall clock.' }),
  endsAt: t.field({ type: 'DateTime', description: 'Instant of the end, instead of its wall clock.' }),
  timeZone: t.string({
    description: 'IANA name or fixed offset such as `UTC+5:30`; by default, and if empty, that of the site.',
  }),
  allDay: t.boolean({ description: 'Lasts whole days: start and end move to the edges of theirs.' }),
  cost: t.stringList({ description: 'Prices or words, an entry each; empty: nothing is known.' }),
  website: t.string({ description: "Absolute URL, or empty: none. Null: the event's page stands in for it." }),
  showMap: t.boolean({ description: 'Show a map.' }),
  showMapLink: t.boolean({ description: 'Show a link to a map.' }),
  hideFromListings: t.boolean({ description: 'Keep it out of every list.' }),
  sticky: t.boolean({ description: 'Comes first on its day in calendar views.' }),
  featured: t.boolean({ description: 'Featured on the site.' }),
  parentId: t.int({ description: 'Number of the event that it is part of; null: of none.' }),
  venues: t.field({ type: [EventVenueInput], description: 'All its venues, in order.' }),
  organizers: t.field({ type: [EventOrganizerInput], description: 'All its organizers, in order.' }),
  categories: t.field({ type: [EventTermInput], description: 'All its categories.' }),
  tags: t.field({ type: [EventTermInput], description: 'All its tags.' }),
  tickets: t.field({ type: [TicketInput], description: 'All its tickets, in order.' }),
  customFields: t.field({ type: [CustomFieldInput], description: 'All its extra fields.' }),
})

export const CreateEventInput = builder.inputType('CreateEventInput', {
  description: 'A new event; its text is in the language of the operation.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Plain text, not empty.' }),
    startsLocal: t.field({ type: 'LocalDateTime', description: 'Wall clock of the start.' }),
    endsLocal: t.field({ type: 'LocalDateTime', description: 'Wall clock of the end, not before the start.' }),
    ...eventInputs(t),
  }),
})

export const UpdateEventInput = builder.inputType('UpdateEventInput', {
  description: 'Changes of an event: what is not given stays as it is. Lists replace those that are there.',
  fields: (t) => ({
    ...identityInputs(t),
    title: t.string({ description: 'Plain text, not empty.' }),
    startsLocal: t.field({ type: 'LocalDateTime', description: 'Wall clock of the start.' }),
    endsLocal: t.field({ type: 'LocalDateTime', description: 'Wall clock of the end, not before the start.' }),
    ...eventInputs(t),
    ifUnmodifiedSince: ifUnmodifiedSince(t),
  }),
})

export type CreateEvent = typeof CreateEventInput.$inferInput
export type UpdateEvent = typeof UpdateEventInput.$inferInput
