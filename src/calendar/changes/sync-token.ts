// The tokens of `changes`: opaque texts that say up to where a client knows the changes of a list.

import { createHmac, hash } from 'node:crypto'
import { z } from 'zod'
import { syncTokenExpiredError } from '../../basics/errors.ts'
import { parseJson } from '../../basics/parse-json.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'

/** A moment up to which a client knows all changes. */
const positionShape = z.object({
  /** All transactions with a smaller ID had ended. */
  transaction: z.string().regex(/^\d{1,19}$/),
  /** When the first and the last page were read, by the clocks of their instances, in milliseconds since 1970. */
  times: z.tuple([z.number(), z.number()]),
  /** The last entry of the log: its ID and its time. If they differ later, an earlier database was restored. */
  entry: z.tuple([z.string().regex(/^\d{1,19}$/), z.number()]).nullable(),
})

const tokenShape = z.object({
  /** Digest of the filter, the language and the rights of the caller. */
  list: z.string(),
  /** Where the changes begin; null while the client still reads the first snapshot. */
  since: positionShape.nullable(),
  /** Where the changes that the client is reading end. */
  until: positionShape,
  /** Index of the kind, and the last ID of the records that the client has read. Null at the end. */
  place: z.tuple([z.number().int().min(0), z.number().int().min(0)]).nullable(),
})

export type SyncPosition = z.infer<typeof positionShape>
export type SyncToken = z.infer<typeof tokenShape>

/** Identifies a list of changes: tokens are only valid for the list that returned them, and for the settings that records show. */
export function identifyList(
  kinds: readonly RecordKind[],
  filter: object,
  { viewer, language, password, settings }: Pick<Context, 'viewer' | 'language' | 'password' | 'settings'>,
): string {
  const { publicUrl, pagesUrl, siteTimeZone, languages, languageFallback } = settings
  const caller = [language, viewer?.id, viewer?.role, password !== undefined]
  const shown = [publicUrl, pagesUrl, siteTimeZone, languages, languageFallback]
  return hash('sha256', JSON.stringify([kinds, filter, caller, shown]), 'base64url').slice(0, 22)
}

/** A token is signed: one with times to come would tell of records that are not published yet. */
export function formatSyncToken(token: SyncToken, { site }: Pick<Context, 'site'>): string {
  const text = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${text}.${createHmac('sha256', site.passwordSalt).update(text).digest('base64url').slice(0, 22)}`
}

/** Throws syncTokenExpiredError for a token of another list, and for any other text. */
export function parseSyncToken(text: string, list: string, context: Pick<Context, 'site'>): SyncToken {
  const { data } = tokenShape.safeParse(readJson(text))
  if (data?.list !== list || formatSyncToken(data, context) !== text) throw syncTokenExpiredError()
  return data
}

/** The token of a client that knows all changes until a position, of a list that `adoptSyncToken` names. */
export const startSyncToken = (position: SyncPosition, context: Pick<Context, 'site'>): string =>
  formatSyncToken({ list: '', since: null, until: position, place: null }, context)

/** Reads a token that the service stored itself. If the list differs now, its changes begin where those of the token ended. */
export function adoptSyncToken(text: string, list: string): SyncToken {
  const token = tokenShape.parse(readJson(text))
  if (token.list === list) return token
  return { list, since: null, until: positionOf(text), place: null }
}

/** Up to where the client of a stored token knows all changes. */
export function positionOf(text: string): SyncPosition {
  const { since, until, place } = tokenShape.parse(readJson(text))
  return place ? (since ?? until) : until
}

const readJson = (text: string) => parseJson(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString())
