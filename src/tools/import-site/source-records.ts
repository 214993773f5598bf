// What the legacy site has, in the form in which it is written here: decoded, with every language in one record.
import type { RecordKind } from '../../kinds.ts'

/** An ID on the legacy site. */
export type SourceId = number

export interface SourceText {
  /** Title or name; plain text without entities. */
  readonly name: string
  /** HTML as the site sent it; it is sanitized when it is written. Undefined: the site sent none. */
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
  readonly kind: 'category' | 'tag'
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

interface SourcePost extends SourceRecord {
  readonly author: SourceId | undefined
  readonly status: 'publish' | 'future' | 'draft' | 'pending' | 'private'
  readonly publishedAt: Date | undefined
  /** The latest modification in any language. */
  readonly modifiedAt: Date | undefined
  readonly image: SourceImage | undefined
}

export interface SourceVenue extends SourcePost {
  readonly kind: 'venue'
  readonly address: string
  readonly city: string
  readonly country: string
  readonly province: string
  readonly state: string
  readonly stateProvince: string
  readonly zip: string
  readonly phone: string
  readonly website: string
  readonly showMap: boolean | undefined
  readonly showMapLink: boolean | undefined
  readonly latitude: number | undefined
  readonly longitude: number | undefined
}

export interface SourceOrganizer extends SourcePost {
  readonly kind: 'organizer'
  readonly phone: string
  readonly website: string
  readonly email: string
}

export interface SourceEvent extends SourcePost {
  readonly kind: 'event'
  /** Wall clock `YYYY-MM-DDTHH:MM:SS` in timeZone. */
  readonly startsLocal: string
  readonly endsLocal: string
  /** Instants as the site sent them (utc_start_date); they decide in the hour that a clock change repeats. */
  readonly startsAt: Date | undefined
  readonly endsAt: Date | undefined
  readonly timeZone: string
  readonly allDay: boolean
  /** Prices or texts, from cost and cost_details. */
  readonly cost: readonly string[]
  readonly website: string | undefined
  readonly showMap: boolean
  readonly showMapLink: boolean
  readonly hideFromListings: boolean
  readonly sticky: boolean
  readonly featured: boolean
  readonly customFields: readonly { readonly key: string; readonly label: string; readonly value: unknown }[]
  readonly eventStatus: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'moved_online'
  readonly attendanceMode: 'offline' | 'online' | 'mixed'
  readonly onlineUrl: string | undefined
  readonly parent: SourceId | undefined
  /** Nested records, in the order of the site. Their full records come before the event. */
  readonly venues: readonly SourceId[]
  readonly organizers: readonly SourceId[]
  readonly categories: readonly SourceId[]
  readonly tags: readonly SourceId[]
}

export type SourceKind = SourceTerm | SourceVenue | SourceOrganizer | SourceEvent

export type ImportOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly id: number; readonly notes: readonly string[] }
  | { readonly outcome: 'skipped'; readonly reason: string }

export interface TargetOptions {
  /** Root URL of the legacy site; names its records in the ledger. */
  readonly site: string
  /** Whether records get their ID of the site where it is free. Undefined: if every record here came from this site. */
  readonly keepIds: boolean | undefined
  readonly dryRun: boolean
  /** Whether the site wins over records that were edited here since they were imported. By default they are skipped. */
  readonly overwrite: boolean
  /** Login names of the authors by their ID on the site. */
  readonly authors: ReadonlyMap<SourceId, string>
}

/** Writes the records of one legacy site. Each call commits or rolls back one record. */
export interface ImportTarget {
  /** Whether the record was imported with this `modifiedAt` before; then its details need not be fetched. */
  isCurrent(kind: SourceKind['kind'], id: SourceId, modifiedAt: Date | undefined): boolean
  /** Parents before children, venues and organizers before events. `download` fetches an image once. */
  write(record: SourceKind): Promise<ImportOutcome>
  /** Trashes posts, and deletes terms, of this site that are not in `seen`. Kinds that `seen` lacks stay. */
  prune(seen: ReadonlyMap<RecordKind, ReadonlySet<SourceId>>): Promise<readonly PrunedRecord[]>
}

export interface PrunedRecord {
  readonly kind: RecordKind
  readonly id: number
  readonly name: string
  /** Why the record stays, such as an edit here since the import. Undefined: it was trashed or deleted. */
  readonly kept?: string
}
