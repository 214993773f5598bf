// The routes of categories and tags: a list, one record by ID, and creating, updating and deleting one.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { notFound } from '../../basics/errors.ts'
import { kinds, type TermKind, withArticle } from '../../kinds.ts'
import { listJson, recordJson } from './json.ts'
import { clampedPageSize, type ListPage, listResult } from './paging.ts'
import { type Params, pathId, type Shape } from './params.ts'
import { type Payload, requireRecord, requireSuccess, rootField } from './payload.ts'
import { type Presentation, presentation } from './posts.ts'
import { type RestRequest, type RestResult, type Route, route } from './route.ts'
import { renameEventError, type TermListParams, termQuery } from './term-list-params.ts'

interface Localized {
  readonly languages: { readonly tag: string }
}

type TermPayload<Kind extends TermKind, Term> = Payload & { readonly [K in Kind]: (Term & Localized) | null }

type Mutation<Kind extends TermKind, Term, Input> = TypedDocumentNode<
  Readonly<Record<string, TermPayload<Kind, Term> | null>>,
  { input: Input }
>

interface TermRoutes<Kind extends TermKind, Term, ListShape extends Shape, ListInput, Body extends Shape, Input> {
  readonly operations: {
    readonly list: TypedDocumentNode<Readonly<Record<string, ListPage<Term>>>, ListInput & { page: number }>
    readonly read: TypedDocumentNode<Readonly<Record<string, (Term & Localized) | null>>, { id: string }>
    readonly create: Mutation<Kind, Term, Input & { name: string }>
    readonly update: Mutation<Kind, Term, Input & { id: string; name?: string | undefined }>
    readonly delete: Mutation<Kind, Term, { id: string }>
  }
  readonly listParams: ListShape
  /** Variables of the list, without the page. */
  list(params: Partial<Params<ListShape>>): ListInput
  /** The same with only the part of the filter that refers to records, which GraphQL may reject. */
  references(params: Partial<Params<ListShape>>): ListInput
  readonly body: Body
  /** The input of a mutation, without the name. */
  input(body: Params<Body>): Input
  serialize(term: Term, presentation: Presentation): object
}

export function termRoutes<
  Kind extends TermKind,
  Term extends object,
  ListShape extends Shape,
  ListInput,
  Body extends Shape,
  Input,
>(kind: Kind, routes: TermRoutes<Kind, Term, ListShape, ListInput, Body, Input>): readonly Route[]
export function termRoutes(
  kind: TermKind,
  { operations, ...term }: TermRoutes<TermKind, object, Shape, object, Shape, object>,
): readonly Route[] {
  const { plural } = kinds[kind]
  const aTerm = withArticle(kind)

  const list = (
    params: TermListParams,
    variables: object & { page: number; perPage?: number | undefined },
    { execute, context }: RestRequest,
  ) => renameEventError(params, async () => rootField(await execute(operations.list, { ...variables }, context)))
  const mutate = async <Input>(
    operation: Mutation<TermKind, object, Input>,
    input: Input,
    request: RestRequest,
  ): Promise<RestResult> => {
    const payload = requireSuccess(rootField(await request.execute(operation, { input }, request.context)))
    const record = requireRecord(payload[kind])
    return { body: term.serialize(record, presentation(request)), language: record.languages.tag }
  }

  const common = { resource: plural } as const
  return [
    route({
      ...common,
      action: 'read',
      path: `/${plural}`,
      summary: `Lists ${plural}, sorted by name.`,
      params: term.listParams,
      checkReferences: (params, request) => list(params, { page: 1, perPage: 1, ...term.references(params) }, request),
      async handle(params, request) {
        const { page, per_page } = params as { page: number; per_page?: number }
        const perPage = clampedPageSize(per_page, request.settings)
        const result = await list(params, { page, perPage, ...term.list(params) }, request)
        const format = presentation(request)
        const items = await listJson(term.serialize, result.items, format)
        const query = termQuery(params, result.perPage)
        const address = { page, path: `/${plural}/`, query, selfLinkHasPage: false }
        return listResult(plural, { ...result, items }, address, request.urls)
      },
    }),
    route({
      ...common,
      action: 'read',
      path: `/${plural}/{id}`,
      summary: `Reads ${aTerm}.`,
      params: { id: pathId },
      async handle({ id }, request) {
        const record = rootField(await request.execute(operations.read, { id }, request.context))
        if (!record) throw notFound(kind, 'id')
        return { body: recordJson(term.serialize, record, presentation(request)), language: record.languages.tag }
      },
    }),
    route({
      ...common,
      action: 'create',
      path: `/${plural}`,
      summary: `Creates ${aTerm}.`,
      params: term.body,
      required: ['name'],
      async handle(body, request) {
        const input = { ...term.input(body), name: String(body.name ?? '') }
        return { ...(await mutate(operations.create, input, request)), status: 201 }
      },
    }),
    route({
      ...common,
      action: 'edit',
      path: `/${plural}/{id}`,
      summary: `Updates ${aTerm}. Fields that are not sent do not change.`,
      params: { ...term.body, id: pathId },
      handle: ({ id, ...body }, request) =>
        mutate(operations.update, { ...term.input(body), name: (body as { name?: string }).name, id }, request),
    }),
    route({
      ...common,
      action: 'delete',
      path: `/${plural}/{id}`,
      summary: `Deletes ${aTerm} permanently.`,
      params: { id: pathId },
      handle: ({ id }, request) => mutate(operations.delete, { id }, request),
    }),
  ]
}
