import type { InputRef } from '@pothos/core'
import { withCapitalArticle } from '../../kinds.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { ifUnmodifiedSinceField } from '../lifecycle/modified-at.ts'
import { identityInputFields, postInputFields } from '../lifecycle/post.ts'
import { scopeField } from '../lifecycle/trash.ts'
import { CreateOrganizerInput } from '../organizer/write.ts'
import { idDescription } from '../rules/identify.ts'
import { minorChangeField } from '../text/text-input.ts'
import { CreateVenueInput } from '../venue/write.ts'
import { ScheduleInput } from './schedule-input.ts'
import { eventStateInputFields } from './state.ts'
import { uidInputFields } from './uid.ts'

const idOrCreateInput = <Input>(kind: 'venue' | 'organizer', name: string, createInput: InputRef<Input>) =>
  builder.inputType(name, {
    description: `${withCapitalArticle(kind)} of an event: an existing record or a new record.`,
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
    nameOrSlug: t.string({ description: 'Name or slug of a category or tag, which is created if it does not exist.' }),
  }),
})

const TicketInput = builder.inputType('TicketInput', {
  description: 'A kind of ticket to sell for an event.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of this kind of ticket.' }),
    price: t.string({ required: true, description: 'Price, with at most two decimal places, such as 12.50.' }),
    currency: t.string({ required: true, description: 'Currency of the price: an ISO 4217 code, such as EUR.' }),
    capacity: t.int({ description: 'Number of tickets for sale; null: unlimited.' }),
    salesStart: t.field({ type: 'DateTime', description: 'When ticket sales begin.' }),
    salesEnd: t.field({ type: 'DateTime', description: 'When ticket sales end.' }),
  }),
})

const CustomFieldInput = builder.inputType('CustomFieldInput', {
  description: 'A custom field of the site.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'Machine-readable name of the custom field.' }),
    label: t.string({ required: true, description: 'Human-readable name of the custom field.' }),
    value: t.field({ type: 'JSON', required: true, description: 'Value of the custom field: any JSON value.' }),
  }),
})

const timeInputs = (t: InputFields) => ({
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
    description: 'IANA time zone or fixed offset such as `UTC+5:30`; by default the time zone of the site.',
  }),
  allDay: t.boolean({
    description: 'Whether the event lasts whole days: its start and end move to the start and end of their days.',
  }),
})

/** Input fields of events without their times, which all dates of a series have in common. */
export const contentInputs = (t: InputFields) => ({
  ...postInputFields(t),
  ...eventStateInputFields(t),
  ...uidInputFields(t),
  cost: t.stringList({
    description: 'Prices, or texts such as `Free`, as the field `costEntries` returns them; empty if unknown.',
  }),
  website: t.string({
    description: "Website: an absolute URL, or empty. Null stands for the event's page on this site.",
  }),
  showMap: t.boolean({ description: 'Whether clients should show a map of the venues.' }),
  showMapLink: t.boolean({ description: 'Whether clients should link to a map of the venues.' }),
  hideFromListings: t.boolean({ description: 'Whether lists leave out the event.' }),
  sticky: t.boolean({ description: 'Whether the event comes first on its day in calendar views.' }),
  featured: t.boolean({ description: 'Whether the site features the event.' }),
  parentId: t.id({ description: `The parent event; null for none. ${idDescription('event')}` }),
  venues: t.field({ type: [EventVenueInput], description: 'All venues of the event, in order.' }),
  organizers: t.field({ type: [EventOrganizerInput], description: 'All organizers of the event, in order.' }),
  categories: t.field({ type: [EventTermInput], description: 'All categories of the event.' }),
  tags: t.field({ type: [EventTermInput], description: 'All tags of the event.' }),
  tickets: t.field({ type: [TicketInput], description: 'All tickets of the event, in order.' }),
  customFields: t.field({ type: [CustomFieldInput], description: 'All custom fields of the event.' }),
})

const eventInputs = (t: InputFields) => ({ ...timeInputs(t), ...contentInputs(t) })

export const CreateEventInput = builder.inputType('CreateEventInput', {
  description: 'A new event. Its title and texts are in the language of the operation.',
  fields: (t) => ({
    title: t.string({ required: true, description: 'Title of the event as plain text, not empty.' }),
    ...eventInputs(t),
  }),
})

export const UpdateEventInput = builder.inputType('UpdateEventInput', {
  description: 'Changes to an event. Fields that the input omits stay unchanged. Lists replace existing lists.',
  fields: (t) => ({
    ...identityInputFields(t),
    title: t.string({ description: 'Title of the event as plain text, not empty.' }),
    ...eventInputs(t),
    schedule: t.field({
      type: ScheduleInput,
      description:
        'Makes a single event a series with this schedule. The event becomes one of its dates, with its ID: the one of the same start, else of the same day, else the first. Null makes a date of a series a single event, which has its own copy of the content; the series ends with its last date. Null with the scope ALL also deletes the other dates, of a draft or a pending series. To change the schedule of a series, send it with updateEventSeries.',
    }),
    minorChange: minorChangeField(t),
    scope: scopeField(t),
    dateLabel: t.string({
      description:
        'What is special about this date of a series, such as "premiere", in the language of the operation; null or empty for none. Only for dates of series.',
    }),
    dateNote: t.string({
      description:
        'A note about this date of a series, in the language of the operation; null or empty for none. Only for dates of series.',
    }),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

/** Values of CreateEventInput and UpdateEventInput. */
export type CreateEventValues = typeof CreateEventInput.$inferInput
export type UpdateEventValues = typeof UpdateEventInput.$inferInput
