// What every page consists of. `html` of ghtml escapes interpolated values, except after a `!`.

import type { Settings } from '../../basics/env.ts'
import { toWallClock } from '../../basics/time.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import type { Messages } from './messages.ts'

export interface PageContext {
  readonly settings: Settings
  readonly language: string
  readonly messages: Messages
}

export interface PageRequest extends PageContext {
  readonly execute: Execute
  readonly context: Context
  /** The page number of the list of upcoming events, from 1. */
  readonly page: number
  /** Text of the search form; undefined if it is empty. */
  readonly search: string | undefined
  readonly password: string | undefined
}

export interface Page {
  readonly status?: number
  readonly title: string
  /** Plain text, for search engines and previews. */
  readonly description?: string
  readonly image?: string | undefined
  readonly url?: string
  /** Whether requests of this page are redirected to `url`, without their query string. */
  readonly isMoved?: boolean
  readonly indexed: boolean
  /** URLs of the page by language. `own`: whether the content is translated into the language. */
  readonly languages: readonly { readonly language: string; readonly url: string; readonly own: boolean }[]
  readonly jsonLd?: unknown
  /** The pages above this page in the hierarchy, without the landing page. */
  readonly breadcrumbs?: readonly { readonly name: string; readonly url: string }[]
  /** Path of the REST API that returns what the page shows, with its leading slash. */
  readonly restPath?: string | undefined
  readonly formats?: readonly { readonly type: string; readonly url: string; readonly title: string }[] | undefined
  readonly neighbors?: Readonly<Partial<Record<'prev' | 'next', string>>>
  readonly body: string
  /** What the editor opens from this page: a record, or its own first page. */
  readonly edit?: { readonly kind: 'event' | 'venue' | 'organizer' | 'start'; readonly id?: number } | undefined
  /** The script of a form in the body: completes words of a search, uses passkeys, or solves the challenge of a proposal. */
  readonly script?: 'suggestions' | 'passkeys' | 'propose' | undefined
}

export const todayOf = ({ context, settings }: Pick<PageRequest, 'context' | 'settings'>): string =>
  toWallClock(context.now, settings.siteTimeZone).slice(0, 10)

export const homeUrl = (language: string, { publicUrl }: Settings) => `${publicUrl}/${language}/`

export const developersUrl = (language: string, settings: Settings) => `${homeUrl(language, settings)}developers/`

export const homePageLanguages = ({ settings }: PageContext) =>
  settings.languages.map((language) => ({ language, url: homeUrl(language, settings), own: true }))

/** Prefixes the path of a file with the path of PUBLIC_URL, if PUBLIC_URL has a path. */
export const filePath = (path: string, { publicUrl }: Settings): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}${path}`

export const openSearchMediaType = 'application/opensearchdescription+xml'

export const openSearchPath = (language: string) => `/${language}/opensearch.xml`

export const suggestionsMediaType = 'application/x-suggestions+json'

export const suggestionsPath = (language: string) => `/${language}/suggestions`

/** Formats a query string with its question mark. Leaves out undefined parameters; empty if all are undefined. */
export function formatQueryString(params: Readonly<Record<string, string | number | undefined>>): string {
  const entries = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

/** Returns the query parameter `page`; undefined for page 1, whose URL has no such parameter. */
export const pageParamOf = (page: number) => (page > 1 ? page : undefined)
