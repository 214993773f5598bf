// Types of the sample records in JSON files: columns, texts, and keys by which the records refer to each other.
import type { OwnText } from '../../calendar/text/text-rows.ts'
import type { Prisma } from '../../generated/prisma/client.ts'

/** The texts of a sample record by language. */
export interface SampleRecordTexts {
  /** Code of the original language of the record. */
  readonly first: string
  readonly texts: Readonly<Record<string, OwnText>>
}

/** A sample record to which other sample records refer by its key. */
export interface ReferencedRecord {
  readonly key: string
}

/** An image file in this repository, with the columns of the table image. */
export type SamplePicture = Prisma.ImageCreateManyInput

interface Illustrated {
  readonly image?: string
}

/** The fields of an event, except for its dates. */
export type SampleEventDetails = SampleRecordTexts &
  Illustrated &
  Partial<Omit<Prisma.EventCreateManyInput, 'startsLocal' | 'endsLocal' | 'timeZone'>> & {
    readonly [kind in 'venues' | 'organizers' | 'categories' | 'tags']?: readonly string[]
  }

/** An event with start and end as local times in its time zone. */
export type SampleEvent = SampleEventDetails & Readonly<Record<'startsLocal' | 'endsLocal' | 'timeZone', string>>

export interface SampleRecords {
  readonly images: readonly (ReferencedRecord & SamplePicture)[]
  readonly venues: readonly (ReferencedRecord &
    SampleRecordTexts &
    Illustrated &
    Partial<Prisma.VenueCreateManyInput>)[]
  readonly organizers: readonly (ReferencedRecord & SampleRecordTexts & Partial<Prisma.OrganizerCreateManyInput>)[]
  /** Parents come before their children. */
  readonly categories: readonly (ReferencedRecord & SampleRecordTexts & { readonly parent?: string })[]
  readonly tags: readonly (ReferencedRecord & SampleRecordTexts)[]
  readonly events: readonly SampleEvent[]
}
