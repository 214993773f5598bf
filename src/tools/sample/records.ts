// The records of a sample: columns, texts, and keys by which they refer to each other.
import type { OwnText } from '../../calendar/text/text-rows.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

export interface TextRecord {
  /** The language in which it was written. */
  readonly first: string
  readonly texts: Readonly<Record<string, OwnText>>
}

export interface KeyedRecord {
  readonly key: string
}

/** A picture of this project, with the columns of an image. */
export type Picture = Prisma.ImageCreateManyInput

interface Illustrated {
  readonly image?: string
}

/** What an event has whatever its dates. */
export type EventDetails = TextRecord &
  Illustrated &
  Partial<Omit<Prisma.EventCreateManyInput, 'startsLocal' | 'endsLocal' | 'timeZone'>> & {
    readonly [kind in 'venues' | 'organizers' | 'categories' | 'tags']?: readonly string[]
  }

/** Its start and end are wall clocks in its time zone. */
export type SampleEvent = EventDetails & Readonly<Record<'startsLocal' | 'endsLocal' | 'timeZone', string>>

export interface Sample {
  readonly images: readonly (KeyedRecord & Picture)[]
  readonly venues: readonly (KeyedRecord & TextRecord & Illustrated & Partial<Prisma.VenueCreateManyInput>)[]
  readonly organizers: readonly (KeyedRecord & TextRecord & Partial<Prisma.OrganizerCreateManyInput>)[]
  /** Parents come before their parts. */
  readonly categories: readonly (KeyedRecord & TextRecord & { readonly parent?: string })[]
  readonly tags: readonly (KeyedRecord & TextRecord)[]
  readonly events: readonly SampleEvent[]
}
