import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import type { BodyLimits } from '../../service/http/upload-limits.ts'
import type { LegacyError, ResourceName } from './errors.ts'
import type { Params, ParamsShape } from './params.ts'
import type { LinkBuilder } from './urls.ts'

export interface RestResult {
  /** A value to send as JSON, or a buffer that contains JSON. */
  readonly body: unknown
  readonly status?: number
  /** Language of a record's title or name. By default the language of the operation. */
  readonly language?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly totals?: readonly [total: number, totalPages: number]
  /** When the cached response expires besides changes of records and events, in milliseconds since 1970. */
  readonly expiresAt?: () => number
}

/** The context of the GraphQL operation, and what depends on the HTTP request. */
export interface RestRequest {
  readonly context: Context
  readonly settings: Settings
  readonly execute: Execute
  readonly urls: LinkBuilder
}

export interface RestApi {
  /** Path below REST_PREFIX. Empty for the API that describes the namespaces. */
  readonly namespace: string
  readonly routes: readonly Route[]
  readonly headerPrefix: string
}

/** HTTP methods by action. POST, PUT and PATCH of an edit are equivalent: all change only the fields that are sent. */
export const httpMethods = {
  read: ['GET'],
  create: ['POST'],
  edit: ['POST', 'PUT', 'PATCH'],
  delete: ['DELETE'],
} as const

export interface Route<S extends ParamsShape = ParamsShape> {
  /** The resource of the route; undefined for routes that describe the API. */
  readonly resource?: ResourceName
  readonly action: keyof typeof httpMethods
  /** As in the contract: `/events/{id}`. `{id}` matches digits, `{slug}` any text without a slash. */
  readonly path: string
  readonly summary: string
  /** Parameters of path, query and body. `createRestRoutes` adds `translation_language` to each route. */
  readonly params: S
  readonly required?: readonly string[]
  /** Parameters that are validated together: if one is invalid by itself, errors of the others are left out. */
  readonly validatedTogether?: readonly string[]
  /** Returns errors by parameter for combinations of valid values, such as a latitude without a longitude. */
  checkCombination?(params: Partial<Params<S>>): Readonly<Record<string, string>>
  /** Runs a query that fails if parameters refer to missing records, so that one error lists everything that is invalid. */
  checkReferences?(params: Partial<Params<S>>, request: RestRequest): Promise<unknown>
  bodyParams?(request: FastifyRequest, limits: BodyLimits): Promise<Readonly<Record<string, unknown>>>
  /** Returns the error of this route where it differs from the errors of the contract. */
  toError?(error: unknown): LegacyError | undefined
  handle(params: Params<S>, request: RestRequest): Promise<RestResult>
}

/** Checks a route against the types of its parameters, and returns it as a route of any parameters. */
export const defineRoute = <S extends ParamsShape>(definition: Route<S>): Route => definition as unknown as Route
