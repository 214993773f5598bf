// What the legacy site has, in the form in which it is written here: decoded, with every language in one record.
import type { PostKind, RecordKind, TermKind } from '../../kinds.ts'

/** An ID on the legacy site. */
export type SourceId = number

export interface SourceText {
  /** Title or name; plain text without entities. */
  readonly name: string
  /** HTML as the site sent it, which is sanitized when it is written; of terms plain text. Undefined: the site sent none. */
  readonly description: string | undefined
  readonly excerpt: string | undefined
  readonly slug: string
}

interface SourceRecord {
  /** ID of the record in its original language. */
  readonly id: SourceId
  /** Its IDs in all languages, the original included. They are equal if one record holds all languages. */
  readonly ids: Readonly<Record<string, SourceId>>
  readonly originalLanguage: string
  readonly texts: Readonly<Record<string, SourceText>>
}

export interface SourceTerm extends SourceRecord {
  readonly kind: TermKind
  readonly parent: SourceId | undefined
}

/** A file, with what the site says about it. */
interface SourceFile {
  readonly url: string
  readonly width: number | undefined
  readonly height: number | undefined
  /** Bytes. */
  readonly fileSize: number | undefined
  readonly mimeType: string | undefined
}

export interface SourceImage extends SourceFile {
  /** Undefined if the site shows only its URL. */
  readonly id: SourceId | undefined
  /** Smaller versions. */
  readonly sizes: readonly (SourceFile & { readonly name: string })[]
}

export interface SourcePost extends SourceRecord {
  readonly kind: PostKind
  readonly author: SourceId | undefined
  readonly status: 'publish' | 'future' | 'draft' | 'pending' | 'private'
  readonly publishedAt: Date | undefined
  /** The latest modification in any language. */
  readonly modifiedAt: Date | undefined
  readonly image: SourceImage | undefined
}

type VenueText = 'address' | 'city' | 'country' | 'province' | 'state' | 'stateProvince' | 'zip' | 'phone' | 'website'

/** Fields of posts have the names of those of mutations, unless they refer to other records. */
export interface SourceVenue extends SourcePost, Readonly<Record<VenueText, string>> {
  readonly kind: 'venue'
  readonly showMap: boolean | undefined
  readonly showMapLink: boolean | undefined
  readonly coordinates: { readonly latitude: number; readonly longitude: number } | undefined
}

export interface SourceOrganizer extends SourcePost, Readonly<Record<'phone' | 'website' | 'email', string>> {
  readonly kind: 'organizer'
}

type EventFlag = 'allDay' | 'showMap' | 'showMapLink' | 'hideFromListings' | 'sticky' | 'featured'
/** Nested records, in the order of the site. Their full records come before the event. */
type EventLinks = Readonly<Record<'venues' | 'organizers' | 'categories' | 'tags', readonly SourceId[]>>

export interface SourceEvent extends SourcePost, Readonly<Record<EventFlag, boolean>>, EventLinks {
  readonly kind: 'event'
  /** Wall clock `YYYY-MM-DDTHH:MM:SS` in timeZone. */
  readonly startsLocal: string
  readonly endsLocal: string
  readonly timeZone: string
  /** Instants as the site sent them (utc_start_date); they decide in the hour that a clock change repeats. */
  readonly startsAt: Date | undefined
  readonly endsAt: Date | undefined
  /** Prices or texts, from cost and cost_details. */
  readonly cost: readonly string[]
  readonly website: string | undefined
  readonly customFields: readonly { readonly key: string; readonly label: string; readonly value: unknown }[]
  readonly eventStatus: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'moved_online'
  readonly attendanceMode: 'offline' | 'online' | 'mixed'
  readonly onlineUrl: string | undefined
  readonly parent: SourceId | undefined
}

export type AnySourceRecord = SourceTerm | SourceVenue | SourceOrganizer | SourceEvent

/** The IDs of all records of the site, also of skipped ones. Lacks kinds whose lists were not complete. */
export type SeenIds = ReadonlyMap<RecordKind, ReadonlySet<SourceId>>

export type ImportOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly id: number; readonly notes: readonly string[] }
  | { readonly outcome: 'skipped'; readonly reason: string }

export interface TargetOptions {
  /** Root URL of the legacy site; names its records in the ledger. */
  readonly site: string
  /** Whether records get their ID of the site where it is free. Default: if every record here came from this site. */
  readonly keepIds?: boolean | undefined
  readonly dryRun: boolean
  /** Whether the site wins over records that were edited here since they were imported. By default they are skipped. */
  readonly overwrite: boolean
  /** Login names of the authors by their ID on the site. */
  readonly authors: ReadonlyMap<SourceId, string>
}

export interface PrunedRecord {
  readonly kind: RecordKind
  readonly id: number
  readonly name: string
  /** Why the record stays, such as an edit here since the import. Undefined: it was trashed or deleted. */
  readonly kept?: string
}
