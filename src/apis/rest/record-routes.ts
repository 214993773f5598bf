// The routes of a resource: its list, one record by ID or slug, and creating, updating and deleting one.
import type { ResultOf, TypedDocumentNode, VariablesOf } from '@graphql-typed-document-node/core'
import { notFoundError } from '../../basics/errors.ts'
import * as documents from '../../generated/graphql/graphql.ts'
import { isPost, kinds, type PostKind, type RecordKind, withArticle } from '../../kinds.ts'
import { LegacyError } from './errors.ts'
import { type RecordPage, stringifyRecordOnce, toChangesResult, toListResult } from './json.ts'
import { type Params, type ParamsShape, pathIdParam, pathSlugParam, syncTokenParam } from './params.ts'
import { type MutationPayload, requireRecord, requireSuccess } from './payload.ts'
import { type SerializeOptions, serializeOptionsOf } from './posts.ts'
import { defineRoute, type RestRequest, type RestResult, type Route } from './route.ts'
import type { LinkQuery } from './urls.ts'

type Target<Kind, Slug extends string> = Kind extends PostKind ? { id: string } | Record<Slug, string> : { id: string }
export type WriteTarget<Kind extends RecordKind> = Target<Kind, 'currentSlug'>

type Documents = typeof documents
type TypeOf<Kind extends RecordKind> = (typeof kinds)[Kind]['type']
type ListOf<Kind extends RecordKind> = Documents[`Legacy${Capitalize<(typeof kinds)[Kind]['plural']>}Document`]
type Result<Kind extends RecordKind> = NonNullable<ResultOf<Documents[`Legacy${TypeOf<Kind>}Document`]>['record']>
type InputOf<Kind extends RecordKind> = VariablesOf<Documents[`LegacyCreate${TypeOf<Kind>}Document`]>['input'] &
  VariablesOf<Documents[`LegacyUpdate${TypeOf<Kind>}Document`]>['input']
/** The input of a mutation without title or name, and without the fields that identify the record of an update. */
type Input<Kind extends RecordKind> = Omit<InputOf<Kind>, 'title' | 'name' | 'id' | 'currentSlug'>

type Read = (object & { readonly languages: { readonly tag: string } }) | null
type Mutation = TypedDocumentNode<
  { readonly outcome: (MutationPayload & { readonly record: Read }) | null },
  { readonly input: object }
>

interface ChangePage {
  readonly changes: readonly { readonly type: string; readonly databaseId: number; readonly record?: object | null }[]
  readonly token: string
  readonly hasMore: boolean
}

/** Finds the GraphQL operations of a kind by their names, which contain the kind. */
function operationsOf(kind: RecordKind) {
  const { type, plural } = kinds[kind]
  const operation = <Operation>(name: string) => documents[`Legacy${name}Document` as keyof Documents] as Operation
  return {
    list: operation<TypedDocumentNode<{ readonly page: RecordPage<object> }, object & Record<string, unknown>>>(
      plural.replace(/^./, (letter) => letter.toUpperCase()),
    ),
    changes: operation<
      TypedDocumentNode<
        { readonly page: ChangePage },
        { readonly after: string | undefined; readonly first: number | undefined; readonly filter: unknown }
      >
    >(`${type}Changes`),
    read: operation<TypedDocumentNode<{ readonly record: Read }, Target<PostKind, 'slug'>>>(type),
    create: operation<Mutation>(`Create${type}`),
    update: operation<Mutation>(`Update${type}`),
    delete: operation<Mutation>(`${isPost(kind) ? 'Trash' : 'Delete'}${type}`),
  }
}

interface RecordList<Kind extends RecordKind, ListShape extends ParamsShape>
  extends Pick<Route<ListShape>, 'checkCombination'> {
  readonly order: string
  readonly params: ListShape
  variables(
    params: Params<ListShape>,
    request: RestRequest,
  ): {
    readonly variables: Omit<VariablesOf<ListOf<Kind>>, 'page' | 'perPage'>
    /** Parameters of links to the list, without the page number, in the order of contract c.13. */
    readonly query: LinkQuery
    readonly expiresAt?: (() => number) | undefined
  }
  /** The filter of `sync_token`, by default that of the list. */
  syncFilter?(params: Params<ListShape>, request: RestRequest): object
  /** The part of the filter that GraphQL may reject: references to records, and statuses that need a permission. */
  references(params: Partial<Params<ListShape>>): object
  /** Renames the parameters in an error of GraphQL as the client sent them. */
  toParamError?(error: unknown, params: Partial<Params<ListShape>>): unknown
}

interface RecordRoutes<Kind extends RecordKind, ListShape extends ParamsShape, Body extends ParamsShape>
  extends Pick<Route, 'required' | 'validatedTogether'> {
  readonly list: RecordList<Kind, ListShape>
  readonly readParams?: ParamsShape
  readonly writeParams?: ParamsShape
  readonly body: Body
  /** The body parameter with the title or name, such as `venue`. */
  readonly nameParam: keyof Body & string
  readonly creation?: string
  input(body: Params<Body>, request: RestRequest, target?: WriteTarget<Kind>): Input<Kind> | Promise<Input<Kind>>
  creationInput?(body: Params<Body>): Partial<Input<Kind>>
  checkReadable?(record: Result<Kind>): void
  serialize(record: Result<Kind>, options: SerializeOptions): object
}

export const createRecordRoutes = <Kind extends RecordKind, ListShape extends ParamsShape, Body extends ParamsShape>(
  kind: Kind,
  routes: RecordRoutes<Kind, ListShape, Body>,
): readonly Route[] => routesOf(kind, routes as never)

interface AnyRoutes extends Omit<RecordRoutes<'event', ParamsShape, ParamsShape>, 'serialize' | 'checkReadable'> {
  checkReadable?(record: object): void
  serialize(record: object, options: SerializeOptions): object
}

function routesOf(kind: RecordKind, routes: AnyRoutes): readonly Route[] {
  const { list, body: bodyParams, nameParam, required = [nameParam], creation = '', serialize } = routes
  const operations = operationsOf(kind)
  const { plural: resource } = kinds[kind]
  const aRecord = withArticle(kind)
  const isPostKind = isPost(kind)
  const nameField = kind === 'event' ? 'title' : 'name'

  const readList = (params: object, variables: Record<string, unknown>, { execute, context }: RestRequest) =>
    execute(operations.list, variables, context).then(
      ({ page }) => page,
      (error: unknown) => {
        throw list.toParamError?.(error, params) ?? error
      },
    )
  /** Returns what changed in the list since the token; without a token, all of it. */
  const readChanges = async (params: object, token: string, first: number | undefined, request: RestRequest) => {
    const filter =
      list.syncFilter?.(params as never, request) ??
      (list.variables(params as never, request).variables as { filter?: object }).filter
    const variables = { after: token === '' ? undefined : token, first, filter }
    const { page } = await request.execute(operations.changes, variables, request.context).catch((error: unknown) => {
      throw list.toParamError?.(error, params) ?? error
    })
    const options = serializeOptionsOf(request)
    const items = page.changes.flatMap(({ record }) =>
      record ? [stringifyRecordOnce(serialize, record, options)] : [],
    )
    const deleted = page.changes.flatMap(({ type, databaseId }) => (type === 'REMOVED' ? [databaseId] : []))
    return toChangesResult(resource, items, { deleted, sync_token: page.token, has_more: page.hasMore })
  }
  const mutate = async (operation: Mutation, input: object, request: RestRequest): Promise<RestResult> => {
    const { outcome } = await request.execute(operation, { input }, request.context)
    const record = requireRecord(requireSuccess(outcome).record)
    return { body: serialize(record, serializeOptionsOf(request)), language: record.languages.tag }
  }

  function routesAt(name: 'id' | 'slug'): readonly Route[] {
    const isById = name === 'id'
    const path = isById ? `/${resource}/{id}` : `/${resource}/by-slug/{slug}`
    const inPath: ParamsShape = isById ? { id: pathIdParam } : { slug: pathSlugParam }
    const writeParams = isById ? routes.writeParams : undefined
    // `slug` in the body of an edit is the new slug, so the slug in the path is called `current_slug`.
    const targetOf = ({ id, slug, current_slug: currentSlug = slug }: Record<string, unknown>) =>
      (isById ? { id } : { currentSlug }) as WriteTarget<PostKind>
    const renaming = !isById && 'slug' in bodyParams ? '; `slug` in the body renames it' : ''
    return [
      defineRoute({
        ...{ resource, action: 'read', path },
        summary: `Reads ${aRecord}${isById ? (isPostKind ? ' by ID' : '') : ' by any of its slugs'}.`,
        params: { ...inPath, ...routes.readParams },
        async handle(params, request) {
          const target = { [name]: params[name] } as Target<PostKind, 'slug'>
          const { record } = await request.execute(operations.read, target, request.context)
          if (!record) throw notFoundError(kind, name)
          routes.checkReadable?.(record)
          return {
            body: stringifyRecordOnce(serialize, record, serializeOptionsOf(request)),
            language: record.languages.tag,
          }
        },
      }),
      defineRoute({
        ...{ resource, action: 'edit', path },
        summary: `Updates ${aRecord}. Fields that are not sent do not change${renaming}.`,
        params: { ...bodyParams, ...(isById ? inPath : { current_slug: pathSlugParam }), ...writeParams },
        validatedTogether: routes.validatedTogether,
        async handle(params, request) {
          const target = targetOf(params)
          const input = await routes.input(params, request, target)
          return mutate(operations.update, { ...input, [nameField]: params[nameParam], ...target }, request)
        },
      }),
      defineRoute({
        ...{ resource, action: 'delete', path },
        summary: isPostKind ? `Moves ${aRecord} to the trash.` : `Deletes ${aRecord} permanently.`,
        params: { ...inPath, ...writeParams },
        handle: (params, request) => mutate(operations.delete, targetOf(params), request),
      }),
    ]
  }

  return [
    defineRoute({
      ...{ resource, action: 'read', path: `/${resource}` },
      summary: `Lists ${resource}, ${list.order}.`,
      params: {
        ...list.params,
        sync_token: syncTokenParam
          .optional()
          .describe(
            'Follows the list: empty for all records, then the `sync_token` of the last response for what changed since. `page` is ignored.',
          ),
      },
      checkCombination: list.checkCombination,
      checkReferences: (params, request) =>
        readList(params, { page: 1, perPage: 1, filter: list.references(params) }, request),
      async handle(params, request) {
        const { page, per_page, sync_token: token } = params as { page: number; per_page?: number; sync_token?: string }
        // A larger page size than PER_PAGE_MAX counts as PER_PAGE_MAX.
        const perPage = per_page && Math.min(per_page, request.settings.perPageMax)
        if (token !== undefined) return readChanges(params, token, perPage, request)
        const { variables, query, expiresAt } = list.variables(params, request)
        const found = await readList(params, { ...variables, page, perPage }, request)
        if (isPostKind && page > 1 && found.items.length === 0) {
          throw new LegacyError(404, `${kind}-archive-page-not-found`, 'The list has fewer pages.')
        }
        const options = serializeOptionsOf(request)
        const items = found.items.map((item) => stringifyRecordOnce(serialize, item, options))
        const sizeInLinks = isPostKind || per_page ? found.perPage : undefined
        const address = { page, resource, query: { per_page: sizeInLinks, ...query }, selfLinkHasPage: isPostKind }
        return { ...toListResult({ ...found, items }, address, request.urls), expiresAt }
      },
    }),
    defineRoute({
      ...{ resource, action: 'create', path: `/${resource}` },
      summary: `Creates ${aRecord}${creation}.`,
      params: bodyParams,
      required,
      async handle(body, request) {
        const input = await routes.input(body, request)
        const named = { ...input, [nameField]: body[nameParam] ?? '', ...routes.creationInput?.(body) }
        return { ...(await mutate(operations.create, named, request)), status: 201 }
      },
    }),
    ...routesAt('id'),
    ...(isPostKind ? routesAt('slug') : []),
  ]
}
