// The routes that all posts but events have: a list, one record by number or slug, creating, changing and trashing one.
import { kinds, type PostKind, withArticle } from '../content/kinds.ts'
import { notFound } from '../errors.ts'
import { jsonOf } from './json.ts'
import { written } from './outcome.ts'
import { envelope, pastTheEnd } from './paging.ts'
import { type Params, pathId, pathSlug, recordPassword, type Shape } from './params.ts'
import { type Presentation, presentation } from './posts.ts'
import { type Answer, type RestRequest, type Route, route } from './route.ts'
import type { Query } from './urls.ts'

type Identity = { id: string } | { slug: string }
type Named = { id: string } | { currentSlug: string }

interface Localized {
  readonly language: string
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly perPage: number
  readonly total: number
  readonly totalPages: number
}

interface ListVariables<Filter> {
  readonly page: number
  readonly perPage?: number | undefined
  readonly filter: Filter
}

interface PostRoutes<Item extends object, ListShape extends Shape, Filter, Body extends Shape, Input> {
  readonly listParams: ListShape
  filter(params: Partial<Params<ListShape>>): Filter
  /** The part of the filter that names records, and what else the API may refuse. */
  namedFilter(params: Partial<Params<ListShape>>): Filter
  /** The parameters that links carry. */
  query(params: Partial<Params<ListShape>>): Query
  /** The name is a parameter with the name of the kind. */
  readonly body: Body
  /** The input of a mutation, without the name. */
  input(body: Params<Body>, now: Date, siteTimeZone: string): Input
  list(variables: ListVariables<Filter>, request: RestRequest): Promise<Page<Item>>
  read(identity: Identity, request: RestRequest): Promise<(Item & Localized) | null>
  create(input: Input & { name: string; orExisting: true }, request: RestRequest): Promise<(Item & Localized) | null>
  update(input: Input & Named & { name?: string }, request: RestRequest): Promise<(Item & Localized) | null>
  trash(input: Named, request: RestRequest): Promise<(Item & Localized) | null>
  serialize(item: Item, presentation: Presentation): object
}

interface ListParams {
  readonly page: number
  readonly per_page?: number | undefined
}

export function postRoutes<Item extends object, ListShape extends Shape, Filter, Body extends Shape, Input>(
  kind: Exclude<PostKind, 'event'>,
  routes: PostRoutes<Item, ListShape, Filter, Body, Input>,
): readonly Route[]
export function postRoutes(
  kind: Exclude<PostKind, 'event'>,
  { listParams, body: bodyParams, serialize, ...post }: PostRoutes<object, Shape, object, Shape, object>,
): readonly Route[] {
  const { plural } = kinds[kind]
  const aRecord = withArticle(kind)
  const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

  const single = async (identity: Identity, request: RestRequest): Promise<Answer> => {
    const record = await post.read(identity, request)
    if (!record) throw notFound(kind, 'id' in identity ? 'id' : 'slug')
    return { body: jsonOf(serialize, record, presentation(request, 'single')), language: record.language }
  }
  const changed = (result: Localized | null, request: RestRequest): Answer => {
    const record = written(result)
    return { body: serialize(record, presentation(request, 'list')), language: record.language }
  }
  const inputOf = (body: Params<Shape>, { context, settings }: RestRequest) => ({
    ...post.input(body, context.now, settings.siteTimeZone),
    name: body[kind] as string | undefined,
  })
  const edit = async (named: Named, body: Params<Shape>, request: RestRequest) =>
    changed(await post.update({ ...inputOf(body, request), ...named }, request), request)
  const trash = async (named: Named, request: RestRequest) => changed(await post.trash(named, request), request)

  const common = { resource: plural } as const
  return [
    route({
      ...common,
      action: 'read',
      path: `/${plural}`,
      summary: `${capitalized(plural)}, the newest first.`,
      params: listParams,
      named: (params, request) => post.list({ page: 1, perPage: 1, filter: post.namedFilter(params) }, request),
      answer: async (params, request) => {
        const { page, per_page: perPage } = params as ListParams & Params<Shape>
        const found = await post.list({ page, perPage, filter: post.filter(params) }, request)
        if (page > 1 && found.items.length === 0) throw pastTheEnd(kind)
        const form = presentation(request, 'list')
        const items = found.items.map((item) => jsonOf(serialize, item, form))
        const query = { per_page: found.perPage, ...post.query(params) }
        const position = { page, path: `/${plural}/`, query, namesFirstPage: true }
        return envelope(plural, { ...found, items }, position, request.urls)
      },
    }),
    route({
      ...common,
      action: 'read',
      path: `/${plural}/{id}`,
      summary: `${capitalized(aRecord)}.`,
      params: { id: pathId, password: recordPassword },
      answer: ({ id }, request) => single({ id }, request),
    }),
    route({
      ...common,
      action: 'read',
      path: `/${plural}/by-slug/{slug}`,
      summary: `${capitalized(aRecord)} by any of its slugs.`,
      params: { slug: pathSlug, password: recordPassword },
      answer: ({ slug }, request) => single({ slug }, request),
    }),
    route({
      ...common,
      action: 'create',
      path: `/${plural}`,
      summary: `Creates ${aRecord}, or answers with the one that has its name.`,
      params: bodyParams,
      required: [kind],
      answer: async (body, request) => {
        const input = inputOf(body, request)
        const record = await post.create({ ...input, name: input.name ?? '', orExisting: true }, request)
        return { ...changed(record, request), status: 201 }
      },
    }),
    route({
      ...common,
      action: 'edit',
      path: `/${plural}/{id}`,
      summary: `Changes ${aRecord}: what is not given stays.`,
      params: { ...bodyParams, id: pathId },
      answer: ({ id, ...body }, request) => edit({ id }, body, request),
    }),
    route({
      ...common,
      action: 'edit',
      path: `/${plural}/by-slug/{slug}`,
      summary: `Changes ${aRecord}: what is not given stays.`,
      params: { ...bodyParams, current_slug: pathSlug },
      answer: ({ current_slug: currentSlug, ...body }, request) => edit({ currentSlug }, body, request),
    }),
    route({
      ...common,
      action: 'delete',
      path: `/${plural}/{id}`,
      summary: `Puts ${aRecord} into the trash.`,
      params: { id: pathId },
      answer: ({ id }, request) => trash({ id }, request),
    }),
    route({
      ...common,
      action: 'delete',
      path: `/${plural}/by-slug/{slug}`,
      summary: `Puts ${aRecord} into the trash.`,
      params: { slug: pathSlug },
      answer: ({ slug }, request) => trash({ currentSlug: slug }, request),
    }),
  ]
}
