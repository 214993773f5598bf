// Types of the sample records in JSON files: columns, texts, and keys by which the records refer to each other.
import type { OwnText } from '../../calendar/text/text-rows.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

export interface RecordWithTexts {
  /** Code of the original language of the record. */
  readonly first: string
  readonly texts: Readonly<Record<string, OwnText>>
}

/** A record to which other records refer by its key. */
export interface RecordWithKey {
  readonly key: string
}

/** An image file in this repository, with the columns of the table image. */
export type SamplePicture = Prisma.ImageCreateManyInput

interface Illustrated {
  readonly image?: string
}

/** The fields of an event, except for its dates. */
export type SampleEventDetails = RecordWithTexts &
  Illustrated &
  Partial<Omit<Prisma.EventCreateManyInput, 'startsLocal' | 'endsLocal' | 'timeZone'>> & {
    readonly [kind in 'venues' | 'organizers' | 'categories' | 'tags']?: readonly string[]
  }

/** An event with start and end as local times in its time zone. */
export type SampleEvent = SampleEventDetails & Readonly<Record<'startsLocal' | 'endsLocal' | 'timeZone', string>>

export interface SampleRecords {
  readonly images: readonly (RecordWithKey & SamplePicture)[]
  readonly venues: readonly (RecordWithKey & RecordWithTexts & Illustrated & Partial<Prisma.VenueCreateManyInput>)[]
  readonly organizers: readonly (RecordWithKey & RecordWithTexts & Partial<Prisma.OrganizerCreateManyInput>)[]
  /** Parents come before their children. */
  readonly categories: readonly (RecordWithKey & RecordWithTexts & { readonly parent?: string })[]
  readonly tags: readonly (RecordWithKey & RecordWithTexts)[]
  readonly events: readonly SampleEvent[]
}
