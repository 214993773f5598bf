// Text as the legacy door writes it.
import type { RecordStatus } from '../generated/graphql/graphql.ts'

/** Titles and names are plain text inside and HTML-escaped here. */
export const escapeText = (text: string): string =>
  /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text

/** Text of one line without markup (contract c.3); what is left of a tag that never ends is no tag. */
export const plainText = (text: string): string =>
  text.includes('<') ? withoutTags(text).replace(/<(?=[a-z!/?])/gi, '&lt;') : text

/** A pattern that does not look past the next `<`, so that time stays in proportion to the text. */
const withoutTags = (html: string): string => html.replace(/<\/?[a-z!][^<>]*>/gi, '')

const inUrls: Readonly<Record<string, string>> = { '"': '%22', "'": '%27', '<': '%3C', '>': '%3E' }

/** A URL that cannot end the attribute it stands in. */
export const safeUrl = (url: string): string => url.replace(/["'<>]/g, (character) => inUrls[character] ?? '')

export const legacyStatus = (status: string): string => status.toLowerCase()

export const legacyStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const
export type LegacyStatus = (typeof legacyStatuses)[number]

export const graphStatus = (status: LegacyStatus) => status.toUpperCase() as RecordStatus

/** Author IDs are text, "0" when there is none. */
export const legacyAuthor = (author: { databaseId: number } | null): string => String(author?.databaseId ?? 0)
