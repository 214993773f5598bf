// The records of a sample, with keys by which they refer to each other.
import type { OwnText } from '../../calendar/text/text-rows.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { AttendanceMode, EventStatus } from '../../generated/prisma/enums.ts'

export interface TextRecord {
  readonly first: string
  readonly texts: Readonly<Record<string, OwnText>>
}

export interface Keyed {
  readonly key: string
}

/** A picture of this project, with the columns of an image. */
export interface Picture {
  readonly url: string
  readonly mimeType: string
  readonly width: number
  readonly height: number
  readonly fileSize: number
  readonly sizes: Prisma.InputJsonObject[]
  readonly alternates: Prisma.InputJsonObject[]
  readonly sizeRules: number
}

export interface SampleVenue extends Keyed, TextRecord {
  readonly address?: string
  readonly city?: string
  readonly country?: string
  readonly province?: string
  readonly state?: string
  readonly stateProvince?: string
  readonly zip?: string
  readonly phone?: string
  readonly website?: string
  readonly latitude?: number
  readonly longitude?: number
  readonly image?: string
}

export interface SampleOrganizer extends Keyed, TextRecord {
  readonly phone?: string
  readonly website?: string
  readonly email?: string
}

export interface SampleCategory extends Keyed, TextRecord {
  readonly parent?: string
}

/** What an event has whatever its dates. */
export interface EventDetails extends TextRecord {
  readonly allDay?: boolean
  readonly cost?: readonly string[]
  readonly website?: string
  readonly image?: string
  readonly venues?: readonly string[]
  readonly organizers?: readonly string[]
  readonly categories?: readonly string[]
  readonly tags?: readonly string[]
  readonly featured?: boolean
  readonly eventStatus?: EventStatus
  readonly attendanceMode?: AttendanceMode
  readonly onlineUrl?: string
}

export interface SampleEvent extends EventDetails {
  /** Wall clocks in timeZone. */
  readonly startsLocal: string
  readonly endsLocal: string
  readonly timeZone: string
}

export interface Sample {
  readonly images: readonly (Keyed & Picture)[]
  readonly venues: readonly SampleVenue[]
  readonly organizers: readonly SampleOrganizer[]
  readonly categories: readonly SampleCategory[]
  readonly tags: readonly (Keyed & TextRecord)[]
  readonly events: readonly SampleEvent[]
}
