import type { Context } from '../context.ts'
import type { Settings } from '../env.ts'
import type { Execute } from '../graphql/execute.ts'
import type { Resource } from './errors.ts'
import type { Params, Shape } from './params.ts'
import type { Urls } from './urls.ts'

export interface Answer {
  readonly body: unknown
  /** 200 unless said otherwise. */
  readonly status?: number
  /** Of a record: the language that its title or name is served in; of a list the operation's. */
  readonly language?: string
  /** Items and pages of a list, for the total headers. */
  readonly totals?: readonly [total: number, totalPages: number]
  /** When it changes though nothing is written, in milliseconds since 1970; dates of events are known without it. */
  readonly until?: () => number
}

/** What a route works with: the operation's context, and what of this door depends on the request. */
export interface RestRequest {
  readonly context: Context
  readonly settings: Settings
  readonly execute: Execute
  readonly urls: Urls
}

/** HTTP methods that one handler answers; an edit by any of its three changes what is given and nothing else. */
export const methods = {
  read: ['GET'],
  create: ['POST'],
  edit: ['POST', 'PUT', 'PATCH'],
  delete: ['DELETE'],
} as const

export interface Route<S extends Shape = Shape> {
  /** None for what is about the routes themselves. */
  readonly resource?: Resource
  readonly action: keyof typeof methods
  /** As in the contract: `/events/{id}`; `{id}` is digits, `{slug}` any text without a slash. */
  readonly path: string
  readonly summary: string
  /** Parameters of the path, the query and the body; the table of routes adds `translation_language` to each. */
  readonly params: S
  /** Those without which there is no answer. */
  readonly required?: readonly string[]
  /** Parameters that are checked together: where one is wrong by itself, nothing is said of the others. */
  readonly together?: readonly string[]
  /** What is wrong with parameters together, each of which is right. */
  check?(params: Partial<Params<S>>): Readonly<Record<string, string>>
  /** Asks the graph for the records that parameters name, so that one error tells all that is wrong. */
  named?(params: Partial<Params<S>>, request: RestRequest): Promise<unknown>
  answer(params: Params<S>, request: RestRequest): Promise<Answer>
}

/** A route by the types of its parameters, as one among others. */
export const route = <S extends Shape>(definition: Route<S>): Route => definition as unknown as Route
