// Text as the legacy door writes it.
import type { RecordStatus } from '../generated/graphql/graphql.ts'

/** Titles and names are plain text inside and HTML-escaped here. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The record without the fields that are empty: they are omitted, not null (contract c.3). */
export const withoutEmpty = <Fields extends object>(fields: Fields): Partial<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== '' && value !== '0' && value !== 0 && value !== false && value !== null,
    ),
  ) as Partial<Fields>

export const legacyStatus = (status: string): string => status.toLowerCase()

export const legacyStatuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const
export type LegacyStatus = (typeof legacyStatuses)[number]

export const graphStatus = (status: LegacyStatus) => status.toUpperCase() as RecordStatus

/** Author IDs are text, "0" when there is none. */
export const legacyAuthor = (author: { databaseId: number } | null): string => String(author?.databaseId ?? 0)
