// The records of a legacy site after reading: decoded, and with all translations in one record.
import type { PostKind, RecordKind, TermKind } from '../../kinds.ts'

/** An ID on the legacy site. */
export type SourceId = number

export interface SourceText {
  /** Title or name; plain text without entities. */
  readonly name: string
  /** Unsanitized HTML; for terms plain text. Undefined if the site sent no description. */
  readonly description: string | undefined
  readonly excerpt: string | undefined
  readonly slug: string
}

interface SourceRecord {
  /** The ID of the record in its original language. */
  readonly id: SourceId
  /** The IDs by language, including the original one. They are equal if the site has one record for all languages. */
  readonly ids: Readonly<Record<string, SourceId>>
  readonly originalLanguage: string
  readonly texts: Readonly<Record<string, SourceText>>
}

export interface SourceTerm extends SourceRecord {
  readonly kind: TermKind
  readonly parent: SourceId | undefined
}

/** An image file, with the properties that the site sent. */
interface SourceFile {
  readonly url: string
  readonly width: number | undefined
  readonly height: number | undefined
  /** Bytes. */
  readonly fileSize: number | undefined
  readonly mimeType: string | undefined
}

export interface SourceImage extends SourceFile {
  /** ID of the image; undefined if the site sent only the URL. */
  readonly id: SourceId | undefined
  /** Smaller versions of the image. */
  readonly sizes: readonly (SourceFile & { readonly name: string })[]
}

export interface SourcePost extends SourceRecord {
  readonly kind: PostKind
  readonly author: SourceId | undefined
  readonly status: 'publish' | 'future' | 'draft' | 'pending' | 'private'
  readonly publishedAt: Date | undefined
  /** The time of the latest modification of any translation. */
  readonly modifiedAt: Date | undefined
  readonly image: SourceImage | undefined
}

type VenueText = 'address' | 'city' | 'country' | 'province' | 'state' | 'stateProvince' | 'zip' | 'phone' | 'website'

/** Fields are named like the input fields of mutations, except for images, authors and links. */
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
/** The IDs of linked records, in the order of the site. */
type EventLinks = Readonly<Record<'venues' | 'organizers' | 'categories' | 'tags', readonly SourceId[]>>

export interface SourceEvent extends SourcePost, Readonly<Record<EventFlag, boolean>>, EventLinks {
  readonly kind: 'event'
  /** Local time `YYYY-MM-DDTHH:MM:SS` in `timeZone`. */
  readonly startsLocal: string
  readonly endsLocal: string
  readonly timeZone: string
  /** The instant from utc_start_date. In the hour that a clock change repeats, the local time alone is ambiguous. */
  readonly startsAt: Date | undefined
  readonly endsAt: Date | undefined
  /** Prices, or texts such as `Free`, from cost and cost_details. */
  readonly cost: readonly string[]
  readonly website: string | undefined
  readonly customFields: readonly { readonly key: string; readonly label: string; readonly value: unknown }[]
  readonly eventStatus: 'scheduled' | 'cancelled' | 'postponed' | 'rescheduled' | 'moved_online'
  readonly attendanceMode: 'offline' | 'online' | 'mixed'
  readonly onlineUrl: string | undefined
  readonly parent: SourceId | undefined
  /** Whether its URL ends with a day: the site shows each date of a recurring event as an event with its slug. */
  readonly isDate: boolean
  /** All dates of a recurring event with the same content, including this one. */
  readonly dates?: readonly SourceEvent[]
}

/** A record of the legacy site of any kind. */
export type AnyRecord = SourceTerm | SourceVenue | SourceOrganizer | SourceEvent

/** The IDs of all records of the site by kind, including skipped records. Kinds with an incomplete list are missing. */
export type SiteRecordIds = ReadonlyMap<RecordKind, ReadonlySet<SourceId>>

export type RecordImportOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly id: number; readonly notes: readonly string[] }
  | { readonly outcome: 'skipped'; readonly reason: string }

export interface TargetOptions {
  /** The REST root of the legacy site, which identifies the site in the ledger. */
  readonly site: string
  /** Whether records keep their IDs if these are free. Default: true if all stored records came from this site. */
  readonly keepIds?: boolean | undefined
  readonly dryRun: boolean
  /** Whether to overwrite records that users of this service edited after the import. Otherwise they are skipped. */
  readonly overwrite: boolean
  /** Logins of users of this service, by the ID of the author on the legacy site. */
  readonly authors: ReadonlyMap<SourceId, string>
}

/** A record that is missing on the legacy site, and was therefore removed or kept. */
export interface PruneOutcome {
  readonly kind: RecordKind
  readonly id: number
  readonly name: string
  /** Why the record was not removed, such as an edit after the import. Undefined if it was removed. */
  readonly kept?: string
}
