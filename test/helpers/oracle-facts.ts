// What the world of the oracle consists of: plain records that refer to each other, without a database.
import type { Status } from '../../src/generated/prisma/enums.ts'
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

/** The first language is the one that the record was first written in. */
export type OwnTexts = ReadonlyMap<Language, OwnText>

interface Facts {
  /** Given when it is stored. */
  id: number
  readonly texts: OwnTexts
}

export interface PostFacts extends Facts {
  readonly status: Status
  readonly trashedFrom?: Status
  readonly publishedAt: number
  /** Role of the user who wrote it. */
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
  /** By column; the searched ones and others. */
  readonly contact: Readonly<Record<string, string>>
}

export interface EventFacts extends PostFacts {
  /** Wall clocks, `2026-12-01T19:00:00`, in the zone. */
  readonly start: string
  readonly end: string
  readonly zone: string
  readonly hidden: boolean
  readonly featured: boolean
  readonly ticketed: boolean
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

/** Who asks, and how the site is set. */
export interface Reader {
  readonly role: Role
  readonly language: Language
  /** Whether the password of the locked records was given. */
  readonly opens: boolean
  /** Setting LANGUAGE_FALLBACK. */
  readonly fallback: boolean
}

/** The moments a reader's rules look at. */
export const minute = 60_000
export const day = 24 * 60 * minute
