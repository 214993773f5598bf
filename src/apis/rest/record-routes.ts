// The routes of a resource: its list, one record by ID or slug, and creating, updating and deleting one.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { notFound } from '../../basics/errors.ts'
import { isPost, kinds, type PostKind, type RecordKind, withArticle } from '../../kinds.ts'
import { listJson, recordJson } from './json.ts'
import { clampedPageSize, type ListPage, listResult, pageNotFound } from './paging.ts'
import { type Params, pathId, pathSlug, type Shape } from './params.ts'
import { type Payload, requireRecord, requireSuccess } from './payload.ts'
import { type Presentation, presentation } from './posts.ts'
import { type RestRequest, type RestResult, type Route, route } from './route.ts'
import type { Query } from './urls.ts'

type Target<Kind extends RecordKind, Slug extends string> = Kind extends PostKind
  ? { id: string } | { [name in Slug]: string }
  : { id: string }
type ReadTarget<Kind extends RecordKind> = Target<Kind, 'slug'>
export type WriteTarget<Kind extends RecordKind> = Target<Kind, 'currentSlug'>

type Named<Kind extends RecordKind> = Kind extends 'event' ? { title: string } : { name: string }

type Read<Result> = (Result & { readonly languages: { readonly tag: string } }) | null

type Mutation<Result, Input> = TypedDocumentNode<
  { readonly outcome: (Payload & { readonly record: Read<Result> }) | null },
  { input: Input }
>

interface Page {
  page: number
  perPage?: number | undefined
}

interface ListRequest<Variables> {
  readonly variables: Omit<Variables, keyof Page>
  /** Query string of links to the list, without the page, in the order of contract c.13. */
  readonly query: Query
  readonly expiresAt?: (() => number) | undefined
}

interface RecordRoutes<
  Kind extends RecordKind,
  Result extends object,
  ListShape extends Shape,
  Variables extends object,
  Body extends Shape,
  Input extends object,
> {
  readonly operations: {
    readonly list: TypedDocumentNode<{ readonly page: ListPage<Result> }, Variables>
    readonly read: TypedDocumentNode<{ readonly record: Read<Result> }, ReadTarget<Kind>>
    readonly create: Mutation<Result, Input & Named<Kind>>
    readonly update: Mutation<Result, Input & WriteTarget<Kind> & Partial<Named<Kind>>>
    readonly delete: Mutation<Result, WriteTarget<Kind>>
  }
  readonly list: Pick<Route<ListShape>, 'checkCombination'> & {
    /** The order of the list, for its summary. */
    readonly order: string
    readonly params: ListShape
    variables(params: Params<ListShape>, request: RestRequest): ListRequest<Variables>
    /** The part of the filter that GraphQL may reject: references to records, and statuses that need a permission. */
    references(params: Partial<Params<ListShape>>): object
    /** The error with the names of the parameters that the client sent. */
    toParamError?(error: unknown, params: Partial<Params<ListShape>>): unknown
  }
  /** Parameters of the routes that read one record. */
  readonly readParams?: Shape
  /** Parameters of the routes that write a record by its ID. */
  readonly writeParams?: Shape
  readonly body: Body
  /** Parameter of the body that is the title or name of the record. */
  readonly nameParam: keyof Body & string
  readonly required?: readonly string[]
  readonly validatedTogether?: readonly string[]
  /** How the summary of the route that creates a record goes on. */
  readonly creation?: string
  /** The input of a mutation, without the title or name. An update has a target. */
  input(body: Params<Body>, request: RestRequest, target?: WriteTarget<Kind>): Input | Promise<Input>
  /** What else the input of a new record contains. */
  creationInput?(body: Params<Body>): Partial<Input>
  /** Throws if the record must not be shown. */
  checkReadable?(record: Result): void
  serialize(record: Result, presentation: Presentation): object
}

export function recordRoutes<
  Kind extends RecordKind,
  Result extends object,
  ListShape extends Shape,
  Variables extends object,
  Body extends Shape,
  Input extends object,
>(kind: Kind, routes: RecordRoutes<Kind, Result, ListShape, Variables, Body, Input>): readonly Route[]
export function recordRoutes(
  kind: RecordKind,
  routes: RecordRoutes<PostKind, object, Shape, Record<string, unknown>, Shape, object>,
): readonly Route[] {
  const { operations, list, body: bodyParams, nameParam, required = [nameParam], creation = '', serialize } = routes
  const { plural } = kinds[kind]
  const aRecord = withArticle(kind)
  const isPostKind = isPost(kind)
  const nameField = kind === 'event' ? 'title' : 'name'

  const readList = async (params: object, variables: Record<string, unknown>, { execute, context }: RestRequest) => {
    try {
      return (await execute(operations.list, variables, context)).page
    } catch (error) {
      throw list.toParamError?.(error, params) ?? error
    }
  }
  const read = async (target: ReadTarget<PostKind>, request: RestRequest): Promise<RestResult> => {
    const { record } = await request.execute(operations.read, target, request.context)
    if (!record) throw notFound(kind, 'id' in target ? 'id' : 'slug')
    routes.checkReadable?.(record)
    return { body: recordJson(serialize, record, presentation(request)), language: record.languages.tag }
  }
  const mutate = async <Input>(
    operation: Mutation<object, Input>,
    input: Input,
    request: RestRequest,
  ): Promise<RestResult> => {
    const { outcome } = await request.execute(operation, { input }, request.context)
    const record = requireRecord(requireSuccess(outcome).record)
    return { body: serialize(record, presentation(request)), language: record.languages.tag }
  }
  const update = async (target: WriteTarget<PostKind>, body: Params<Shape>, request: RestRequest) => {
    const input = await routes.input(body, request, target)
    return mutate(operations.update, { ...input, [nameField]: body[nameParam], ...target }, request)
  }

  const resource = plural
  const byId: Address = {
    ...{ path: `/${plural}/{id}`, name: 'id', inPath: { id: pathId }, inEdit: { id: pathId } },
    targetOf: ({ id }) => ({ id }),
    writeParams: routes.writeParams,
  }
  const bySlug: Address = {
    ...{ path: `/${plural}/by-slug/{slug}`, name: 'slug', inPath: { slug: pathSlug } },
    // The body of an edit has a `slug` of its own.
    inEdit: { current_slug: pathSlug },
    targetOf: ({ slug, current_slug: currentSlug = slug }) => ({ currentSlug }),
  }
  const addresses = isPostKind ? [byId, bySlug] : [byId]
  const readSummaries = { id: isPostKind ? ' by ID' : '', slug: ' by any of its slugs' }
  const renaming = 'slug' in bodyParams && isPostKind ? '; `slug` in the body renames it' : ''

  return [
    route({
      ...{ resource, action: 'read', path: `/${plural}` },
      summary: `Lists ${plural}, ${list.order}.`,
      params: list.params,
      checkCombination: list.checkCombination,
      checkReferences: (params, request) =>
        readList(params, { page: 1, perPage: 1, filter: list.references(params) }, request),
      async handle(params, request) {
        const { page, per_page } = params as { page: number; per_page?: number }
        const perPage = clampedPageSize(per_page, request.settings)
        const { variables, query, expiresAt } = list.variables(params, request)
        const result = await readList(params, { ...variables, page, perPage }, request)
        if (isPostKind && page > 1 && result.items.length === 0) throw pageNotFound(kind)
        const items = listJson(serialize, result.items, presentation(request))
        const sizeInLinks = isPostKind || per_page ? result.perPage : undefined
        const address = {
          ...{ page, path: `/${plural}/`, query: { per_page: sizeInLinks, ...query } },
          selfLinkHasPage: isPostKind,
        }
        return { ...listResult(plural, { ...result, items }, address, request.urls), expiresAt }
      },
    }),
    ...addresses.map(({ path, name, inPath }) =>
      route({
        ...{ resource, action: 'read', path },
        summary: `Reads ${aRecord}${readSummaries[name]}.`,
        params: { ...inPath, ...routes.readParams },
        handle: (params, request) => read({ [name]: params[name] } as ReadTarget<PostKind>, request),
      }),
    ),
    route({
      ...{ resource, action: 'create', path: `/${plural}` },
      summary: `Creates ${aRecord}${creation}.`,
      params: bodyParams,
      required,
      async handle(body, request) {
        const input = await routes.input(body, request)
        const named = { ...input, [nameField]: body[nameParam] ?? '', ...routes.creationInput?.(body) }
        return { ...(await mutate(operations.create, named as never, request)), status: 201 }
      },
    }),
    ...addresses.map(({ path, name, inEdit, targetOf, writeParams }) =>
      route({
        ...{ resource, action: 'edit', path },
        summary: `Updates ${aRecord}. Fields that are not sent do not change${name === 'slug' ? renaming : ''}.`,
        params: { ...bodyParams, ...inEdit, ...writeParams },
        validatedTogether: routes.validatedTogether,
        handle: (params, request) => update(targetOf(params as unknown as PathParams), params, request),
      }),
    ),
    ...addresses.map(({ path, inPath, targetOf, writeParams }) =>
      route({
        ...{ resource, action: 'delete', path },
        summary: isPostKind ? `Moves ${aRecord} to the trash.` : `Deletes ${aRecord} permanently.`,
        params: { ...inPath, ...writeParams },
        handle: (params, request) => mutate(operations.delete, targetOf(params as unknown as PathParams), request),
      }),
    ),
  ]
}

interface PathParams {
  readonly id: string
  readonly slug: string
  readonly current_slug?: string
}

/** How a path names a record. */
interface Address {
  readonly path: string
  readonly name: 'id' | 'slug'
  readonly inPath: Shape
  /** The same for edits. */
  readonly inEdit: Shape
  targetOf(params: PathParams): WriteTarget<PostKind>
  readonly writeParams?: Shape | undefined
}
