// Types of the generated data: plain records that refer to each other, without a database.
import type { AttendanceMode, EventStatus, Status } from '../../src/generated/prisma/enums.ts'
import type { Role } from './permissions.ts'

export const languages = ['en', 'fr', 'es'] as const
export type Language = (typeof languages)[number]

export interface OwnText {
  readonly name: string
  /** HTML of events, venues and organizers; plain text of terms. */
  readonly description?: string
  readonly excerpt?: string
  readonly slug?: string
}

/** Texts by language; the first is the original language. */
export type OwnTexts = ReadonlyMap<Language, OwnText>

interface Facts {
  /** Assigned when the record is stored. */
  id: number
  readonly texts: OwnTexts
}

export interface PostFacts extends Facts {
  readonly status: Status
  readonly trashedFrom?: Status
  readonly publishedAt: number
  /** Role of the author. */
  readonly author: Exclude<Role, 'visitor'> | undefined
  readonly locked: boolean
}

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

export interface LinkedFacts extends PostFacts {
  readonly kind: 'venue' | 'organizer'
  readonly place: Place | undefined
  /** Values by column. */
  readonly contact: Readonly<Record<string, string>>
}

/** The entries of a cost, and what they mean. */
export interface Cost {
  readonly entries: readonly string[]
  /** The lowest and the highest amount; undefined if unknown. */
  readonly range?: readonly [lowest: number, highest: number]
  /** ISO 4217. */
  readonly currency?: string
}

export interface EventFacts extends PostFacts {
  /** Local times such as `2026-12-01T19:00:00`. */
  readonly start: string
  readonly end: string
  readonly zone: string
  readonly hidden: boolean
  readonly featured: boolean
  /** With one ticket for 5 EUR. */
  readonly ticketed: boolean
  readonly allDay: boolean
  readonly cost: Cost
  readonly modifiedAt: number
  /** Assigned when the event is stored. */
  authorId?: number | undefined
  readonly eventStatus: EventStatus
  readonly attendanceMode: AttendanceMode
  readonly parent: EventFacts | undefined
  readonly venues: readonly LinkedFacts[]
  readonly organizers: readonly LinkedFacts[]
  readonly categories: readonly TermFacts[]
  readonly tags: readonly TermFacts[]
}

export interface TermFacts extends Facts {
  readonly parent: TermFacts | undefined
}

export interface World {
  readonly venues: readonly LinkedFacts[]
  readonly organizers: readonly LinkedFacts[]
  readonly categories: readonly TermFacts[]
  readonly tags: readonly TermFacts[]
  readonly events: readonly EventFacts[]
}

/** The reader of a query, and the relevant settings of the site. */
export interface Reader {
  readonly role: Role
  readonly language: Language
  /** Whether the request sends the password of the locked records. */
  readonly opens: boolean
  /** Setting LANGUAGE_FALLBACK. */
  readonly fallback: boolean
}

/** Times that visibility depends on. */
export const minute = 60_000
export const day = 24 * 60 * minute
