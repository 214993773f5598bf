// What events, venues and organizers have in common in the legacy JSON.
import type { RecordStatus } from '../generated/graphql/graphql.ts'
import { legacyInstant } from './dates.ts'
import type { RestRequest } from './route.ts'
import { legacyAuthor, legacyStatus } from './text.ts'
import type { Urls } from './urls.ts'

/** What a serializer needs beside the record. */
export interface Presentation {
  readonly urls: Urls
  readonly siteTimeZone: string
  /** Single reads carry `json_ld`, lists don't. */
  readonly single: boolean
  /** Tells other forms apart. */
  readonly key: string
}

export const presentation = ({ urls, settings }: RestRequest, form: 'single' | 'list'): Presentation => ({
  urls,
  siteTimeZone: settings.siteTimeZone,
  single: form === 'single',
  key: `${urls.key} ${form}`,
})

interface Post {
  readonly databaseId: number
  readonly author: { databaseId: number } | null
  readonly status: RecordStatus
  readonly publishedAt: Date
  readonly modifiedAt: Date
  readonly url: string
}

export function postDates({ publishedAt, modifiedAt }: Post, siteTimeZone: string) {
  return {
    date: legacyInstant(publishedAt, siteTimeZone),
    date_utc: legacyInstant(publishedAt, 'UTC'),
    modified: legacyInstant(modifiedAt, siteTimeZone),
    modified_utc: legacyInstant(modifiedAt, 'UTC'),
  }
}

export const postIdentity = (post: Post, urls: Urls) => ({
  global_id: urls.globalId(post.databaseId),
  global_id_lineage: [urls.globalId(post.databaseId)],
  author: legacyAuthor(post.author),
  status: legacyStatus(post.status),
})

/** What a lock leaves of fields that venues and organizers share (contract c.15). */
export const maskedPost = { description: '', excerpt: '', image: false } as const

/** Of the fields in `shown` those that have a value: a record shows no field that it has not. */
export const masked = <Fields extends object>(withheld: readonly string[], shown: Fields): Partial<Fields> =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => withheld.includes(name))) as Partial<Fields>
