// The routes of venues and organizers: a list, one record by ID or slug, and creating, updating and trashing one.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { notFound } from '../../basics/errors.ts'
import { kinds, type PostKind, withArticle } from '../../kinds.ts'
import { listJson, recordJson } from './json.ts'
import { clampedPageSize, type ListPage, listResult, pageNotFound } from './paging.ts'
import { type Params, pathId, pathSlug, recordPassword, type Shape } from './params.ts'
import { type Payload, requireRecord, requireSuccess, rootField } from './payload.ts'
import { postFilter, postListParams, postQuery, postReferences } from './post-list-params.ts'
import { type Presentation, presentation } from './posts.ts'
import { type RestRequest, type RestResult, type Route, route } from './route.ts'

type Kind = Exclude<PostKind, 'event'>

type ReadTarget = { id: string } | { slug: string }
type WriteTarget = { id: string } | { currentSlug: string }

interface Localized {
  readonly languages: { readonly tag: string }
}

type ListVariables = { page: number; perPage?: number | undefined; filter: Partial<ReturnType<typeof postFilter>> }

type PostPayload<K extends Kind, Post> = Payload & { readonly [Name in K]: (Post & Localized) | null }

type Mutation<K extends Kind, Post, Input> = TypedDocumentNode<
  Readonly<Record<string, PostPayload<K, Post> | null>>,
  { input: Input }
>

interface PostRoutes<K extends Kind, Post extends object, Body extends Shape, Input> {
  readonly operations: {
    readonly list: TypedDocumentNode<Readonly<Record<string, ListPage<Post>>>, ListVariables>
    readonly read: TypedDocumentNode<Readonly<Record<string, (Post & Localized) | null>>, ReadTarget>
    readonly create: Mutation<K, Post, Input & { name: string; orExisting: true }>
    readonly update: Mutation<K, Post, Input & WriteTarget & { name?: string | undefined }>
    readonly trash: Mutation<K, Post, WriteTarget>
  }
  /** Has a parameter with the name of the kind, which is the name of the record. */
  readonly body: Body
  /** The input of a mutation, without the name. */
  input(body: Params<Body>, now: Date, siteTimeZone: string): Input
  serialize(post: Post, presentation: Presentation): object
}

export function postRoutes<K extends Kind, Post extends object, Body extends Shape, Input>(
  kind: K,
  routes: PostRoutes<K, Post, Body, Input>,
): readonly Route[]
export function postRoutes(
  kind: Kind,
  { operations, body: bodyParams, serialize, ...post }: PostRoutes<Kind, object, Shape, object>,
): readonly Route[] {
  const { plural } = kinds[kind]
  const aPost = withArticle(kind)

  const list = async (variables: ListVariables, { execute, context }: RestRequest) =>
    rootField(await execute(operations.list, variables, context))
  const read = async (target: ReadTarget, request: RestRequest): Promise<RestResult> => {
    const record = rootField(await request.execute(operations.read, target, request.context))
    if (!record) throw notFound(kind, 'id' in target ? 'id' : 'slug')
    return { body: recordJson(serialize, record, presentation(request)), language: record.languages.tag }
  }
  const mutate = async <Input>(
    operation: Mutation<Kind, object, Input>,
    input: Input,
    request: RestRequest,
  ): Promise<RestResult> => {
    const payload = requireSuccess(rootField(await request.execute(operation, { input }, request.context)))
    const record = requireRecord(payload[kind])
    return { body: serialize(record, presentation(request)), language: record.languages.tag }
  }
  const inputOf = (body: Params<Shape>, { context, settings }: RestRequest) => ({
    ...post.input(body, context.now, settings.siteTimeZone),
    name: body[kind] as string | undefined,
  })
  const update = (target: WriteTarget, body: Params<Shape>, request: RestRequest) =>
    mutate(operations.update, { ...inputOf(body, request), ...target }, request)

  const common = { resource: plural } as const
  return [
    route({
      ...common,
      action: 'read',
      path: `/${plural}`,
      summary: `Lists ${plural}, newest first.`,
      params: postListParams(plural),
      checkReferences: (params, request) => list({ page: 1, perPage: 1, filter: postReferences(params) }, request),
      async handle(params, request) {
        const { page } = params
        const perPage = clampedPageSize(params.per_page, request.settings)
        const result = await list({ page, perPage, filter: postFilter(params) }, request)
        if (page > 1 && result.items.length === 0) throw pageNotFound(kind)
        const format = presentation(request)
        const items = await listJson(serialize, result.items, format)
        const query = { per_page: result.perPage, ...postQuery(params) }
        const address = { page, path: `/${plural}/`, query, selfLinkHasPage: true }
        return listResult(plural, { ...result, items }, address, request.urls)
      },
    }),
    route({
      ...common,
      action: 'read',
      path: `/${plural}/{id}`,
      summary: `Reads ${aPost} by ID.`,
      params: { id: pathId, password: recordPassword },
      handle: ({ id }, request) => read({ id }, request),
    }),
    route({
      ...common,
      action: 'read',
      path: `/${plural}/by-slug/{slug}`,
      summary: `Reads ${aPost} by any of its slugs.`,
      params: { slug: pathSlug, password: recordPassword },
      handle: ({ slug }, request) => read({ slug }, request),
    }),
    route({
      ...common,
      action: 'create',
      path: `/${plural}`,
      summary: `Creates ${aPost}, or returns the existing one with the same name.`,
      params: bodyParams,
      required: [kind],
      async handle(body, request) {
        const input = inputOf(body, request)
        const named = { ...input, name: input.name ?? '', orExisting: true } as const
        return { ...(await mutate(operations.create, named, request)), status: 201 }
      },
    }),
    route({
      ...common,
      action: 'edit',
      path: `/${plural}/{id}`,
      summary: `Updates ${aPost}. Fields that are not sent do not change.`,
      params: { ...bodyParams, id: pathId },
      handle: ({ id, ...body }, request) => update({ id }, body, request),
    }),
    route({
      ...common,
      action: 'edit',
      path: `/${plural}/by-slug/{slug}`,
      summary: `Updates ${aPost}. Fields that are not sent do not change.`,
      params: { ...bodyParams, current_slug: pathSlug },
      handle: ({ current_slug: currentSlug, ...body }, request) => update({ currentSlug }, body, request),
    }),
    route({
      ...common,
      action: 'delete',
      path: `/${plural}/{id}`,
      summary: `Moves ${aPost} to the trash.`,
      params: { id: pathId },
      handle: ({ id }, request) => mutate(operations.trash, { id }, request),
    }),
    route({
      ...common,
      action: 'delete',
      path: `/${plural}/by-slug/{slug}`,
      summary: `Moves ${aPost} to the trash.`,
      params: { slug: pathSlug },
      handle: ({ slug }, request) => mutate(operations.trash, { currentSlug: slug }, request),
    }),
  ]
}
