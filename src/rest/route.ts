import type { Context } from '../context.ts'
import type { Settings } from '../env.ts'
import type { Execute } from '../graphql/execute.ts'
import type { Resource } from './errors.ts'
import type { Params, Shape } from './params.ts'
import type { Urls } from './urls.ts'

export interface Answer {
  readonly body: unknown
  /** Items and pages of a list, for the total headers. */
  readonly totals?: readonly [total: number, totalPages: number]
}

/** What a route works with: the operation's context, and what of this door depends on the request. */
export interface RestRequest {
  readonly context: Context
  readonly settings: Settings
  readonly execute: Execute
  readonly urls: Urls
}

export interface Route<S extends Shape = Shape> {
  readonly resource: Resource
  /** As in the contract: `/events/{id}`; `{id}` is digits, `{slug}` any text without a slash. */
  readonly path: string
  readonly summary: string
  /** Parameters of the path and the query; `translation_language` comes with every route. */
  readonly params: S
  answer(params: Params<S>, request: RestRequest): Promise<Answer>
}

/** A route by the types of its parameters, as one among others. */
export const route = <S extends Shape>(definition: Route<S>): Route => definition as unknown as Route
