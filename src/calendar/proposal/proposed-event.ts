// The values that a visitor proposes for an event, all of them plain text.

import type { Settings } from '../../basics/env.ts'
import { badInputError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import { escapeHtml } from '../../basics/strip-tags.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import type { CreateEventValues } from '../event/inputs.ts'
import { checkUrl, readLineInput, readTextInput } from '../text/text-input.ts'

/** Maximum length of each single-line field, in characters. */
const maxLengths = {
  title: 200,
  venueName: 200,
  address: 200,
  city: 100,
  organizerName: 200,
  website: 500,
  cost: 100,
} as const
const maxDescription = 5000

const descriptions = {
  title: 'Title of the event.',
  startsLocal: 'Local time of the start, in the time zone of the site, or of the event to correct.',
  endsLocal: 'Local time of the end.',
  description: `Description as plain text, at most ${maxDescription} characters.`,
  venueName: 'Name of the place.',
  address: 'Street and house number of the place.',
  city: 'City of the place.',
  organizerName: 'Name of the organizer.',
  website: 'Website: an absolute URL.',
  cost: 'Price, such as `12 €` or `Free`.',
}

type Field = keyof typeof descriptions

export const proposedFieldNames = Object.keys(descriptions) as Field[]

/** The proposed values by name of their field; those that are not proposed are missing. */
export type ProposedEvent = { readonly [field in Field]?: string }

/** The input fields, of which those of a new event that is proposed are required. */
export const proposedInputFields = (t: InputFields, isNew: boolean) => {
  const required = isNew || undefined
  return {
    title: t.string({ required, description: descriptions.title }),
    startsLocal: t.field({ type: 'LocalDateTime', required, description: descriptions.startsLocal }),
    endsLocal: t.field({ type: 'LocalDateTime', description: descriptions.endsLocal }),
    description: t.string({ description: descriptions.description }),
    venueName: t.string({ required, description: descriptions.venueName }),
    address: t.string({ description: descriptions.address }),
    city: t.string({ description: descriptions.city }),
    organizerName: t.string({ description: descriptions.organizerName }),
    website: t.string({ description: descriptions.website }),
    cost: t.string({ description: descriptions.cost }),
  }
}

export const ProposedEventObject = builder.objectRef<ProposedEvent>('ProposedEvent').implement({
  description: 'The values that a visitor proposes for an event, as plain text; null for those that stay as they are.',
  fields: (t) => {
    const line = (field: Field) =>
      t.string({ nullable: true, description: descriptions[field], resolve: (event) => event[field] ?? null })
    const time = (field: 'startsLocal' | 'endsLocal') =>
      t.field({
        type: 'LocalDateTime',
        nullable: true,
        description: descriptions[field],
        resolve: (event) => event[field] ?? null,
      })
    return {
      ...{ title: line('title'), startsLocal: time('startsLocal'), endsLocal: time('endsLocal') },
      ...{ description: line('description'), venueName: line('venueName'), address: line('address') },
      ...{ city: line('city'), organizerName: line('organizerName'), website: line('website'), cost: line('cost') },
    }
  },
})

type Input = { readonly [field in Field]?: string | null | undefined }

/** Checks and cleans the values of an input. Throws one badInputError with all problems. */
export async function readProposedEvent(input: Input): Promise<ProposedEvent> {
  const read = (field: Field) => () => {
    const text = field === 'description' ? readTextInput(input[field]) : readLineInput(input[field])
    const max = field === 'description' ? maxDescription : maxLengths[field as keyof typeof maxLengths]
    if (text === undefined || (max !== undefined && text.length <= max) || max === undefined) return text
    throw badInputError({ [field]: `${field} can have at most ${max} characters.` })
  }
  const readRequired = (field: Field) => () => {
    const text = read(field)()
    if (text === '') throw badInputError({ [field]: `${field} must not be empty.` })
    return text
  }
  const { startsLocal, endsLocal } = input
  const checked: Input = await checkAll({
    ...Object.fromEntries(proposedFieldNames.map((field) => [field, read(field)])),
    ...Object.fromEntries((['title', 'startsLocal', 'venueName'] as const).map((name) => [name, readRequired(name)])),
    website: () => checkUrl('website', read('website')()),
    endsLocal: () => {
      if (startsLocal && endsLocal && endsLocal < startsLocal)
        throw badInputError({ endsLocal: 'The end must not be before the start.' })
      return read('endsLocal')()
    },
  })
  return Object.fromEntries(Object.entries(checked).filter(([, text]) => text !== undefined)) as ProposedEvent
}

/** Returns the input of the mutation that writes the values. A place or organizer that does not exist yet is created. */
export function toEventInput(
  { title, startsLocal, endsLocal, description, venueName, address, city, organizerName, website, cost }: ProposedEvent,
  venueId: string | null | undefined,
): Partial<CreateEventValues> {
  const created = (name: string, fields: object = {}) => [{ create: { name, ...fields, orExisting: true } }]
  const venues = venueId == null ? (venueName ? created(venueName, { address, city }) : undefined) : [{ id: venueId }]
  return {
    ...(title !== undefined && { title }),
    ...{ startsLocal, endsLocal, website, venues: venues as CreateEventValues['venues'] },
    ...(description !== undefined && { description: escapeHtml(description) }),
    ...(organizerName && { organizers: created(organizerName) as CreateEventValues['organizers'] }),
    ...(cost !== undefined && { cost: cost === '' ? [] : [cost] }),
  }
}

/** The end of a new event of which none was proposed: the start, in the time zone of the site. */
export const withDefaults = (input: Partial<CreateEventValues>, { siteTimeZone }: Settings): CreateEventValues => ({
  title: '',
  timeZone: siteTimeZone,
  ...input,
  endsLocal: input.endsLocal ?? input.startsLocal,
})
