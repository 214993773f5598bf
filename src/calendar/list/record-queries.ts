// Adds the queries of a kind to the schema: a single record, a connection, and a list with page numbers.

import type { InputRef } from '@pothos/core'
import { type NodeKind, notFoundError } from '../../basics/errors.ts'
import { isPost, type RecordKind, withCapitalArticle } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { pageSizeDescription } from '../../service/graphql/page-size.ts'
import { createPageSlice, type Page, PageInterface } from '../../service/graphql/pagination.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import {
  idDescription,
  identifyRecord,
  isMergeable,
  mergedIdSlug,
  nodeTypeName,
  pluralNameOf,
} from '../rules/identify.ts'
import { readableFilter } from '../rules/status.ts'
import { inLanguageFilter } from '../text/served-text.ts'
import { withCachedTotal } from './cached-count.ts'
import { findNotFoundReason } from './not-found-reason.ts'
import { loadConnections, loadNumberedPage, nodePaths } from './pages.ts'
import { getConnectionType, type RecordList } from './record-connection.ts'
import { findRecord } from './records.ts'
import { searchMatchFieldOptions } from './search-input.ts'

/** What tells the dates of a series with the same slug from each other. */
export interface DateArgs {
  readonly day?: string | null | undefined
  readonly dayNumber?: number | null | undefined
}

interface RecordQueries<Filter, Order> extends RecordList<Filter, Order> {
  readonly description: string
  /** Conditions and orders of the records with a slug, of which the first match is meant; undefined if only one can have it. */
  readonly withSameSlug?: (
    record: object,
    args: DateArgs,
    context: Context,
  ) => Promise<readonly { where: object; orderBy?: object }[] | undefined>
  /** Columns that `withSameSlug` reads. */
  readonly slugColumns?: readonly string[]
}

const recordLists = new Map<RecordKind, RecordList>()

/** Returns the list of a kind, for fields of other kinds. Throws if the module of the kind was not loaded before. */
export function recordListOf(kind: RecordKind): RecordList {
  const list = recordLists.get(kind)
  if (!list) throw new Error(`src/schema.ts imports the module of the kind ${kind} too late.`)
  return list
}

export function addRecordQueries<Filter extends object, Order extends object>(
  kind: RecordKind,
  queries: RecordQueries<Filter, Order>,
): void
export function addRecordQueries(kind: RecordKind, queries: RecordQueries<object, object>): void {
  recordLists.set(kind, queries)
  builder.queryField(kind, (t) =>
    t.field({
      type: queries.type,
      nullable: true,
      description: `${withCapitalArticle(kind)} by its global ID, its databaseId, or one of its slugs.`,
      args: {
        id: t.arg.id({ description: idDescription(kind) }),
        slug: t.arg.string({ description: 'Slug of the record in any language.' }),
        ...(kind === 'event' && {
          day: t.arg({
            type: 'LocalDate',
            description:
              'With the slug of a series: the day of the date, as in its URL. Also finds a date that was moved from this day. Default: the next date that has not ended, else the last.',
          }),
          dayNumber: t.arg.int({
            description: 'With `day`: the number of the date among those of this day, from 1. Default: 1.',
          }),
        }),
      },
      resolve: async (_root, { id, slug, ...dateArgs }, context, info) => {
        const plain = buildSelection(context, info)
        const selection: typeof plain = (columns = []) => plain([...columns, ...(queries.slugColumns ?? [])])
        const identity = identifyRecord(kind, { id, slug })
        const visible = isPost(kind) ? readableFilter(context) : {}
        const condition = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguageFilter(context) }
        const where = isPost(kind) ? { AND: [condition, visible] } : condition
        const merged = () =>
          'id' in identity && isMergeable(kind)
            ? findRecord(context, kind, selection, {
                AND: [{ slugs: { some: { slug: mergedIdSlug(identity.id) } } }, visible],
              })
            : null
        const record = (await findRecord(context, kind, selection, where)) ?? (await merged())
        const others = record && 'slug' in identity && (await queries.withSameSlug?.(record, dateArgs, context))
        for (const other of others || []) {
          const readable = { AND: [visible, inLanguageFilter(context), other.where] }
          const better = await findRecord(context, kind, selection, readable, other.orderBy)
          if (better) return better
        }
        if (record && !dateArgs.day) return record
        if (record) throw notFoundError(kind, 'slug')
        throw await findNotFoundReason(context, kind, identity)
      },
    }),
  )
  const list: typeof queries.list = (args, context) => withCachedTotal(context, kind, args, queries.list)
  addListQueries(kind, { ...queries, list })
}

interface ListQueries<Filter, Order> extends Omit<RecordQueries<Filter, Order>, 'order'> {
  readonly order?: InputRef<Order>
  readonly orderDescription?: string
  /** Throws if the viewer may not read the list. */
  readonly permit?: (context: Context) => void
}

/** Adds the two lists of a kind: the connection, and the list with page numbers. */
export function addListQueries<Filter extends object, Order extends object>(
  kind: NodeKind,
  queries: ListQueries<Filter, Order>,
): void
export function addListQueries(
  kind: NodeKind,
  { type, filter, order, orderDescription, description, permit, list }: ListQueries<object, object>,
): void {
  const plural = pluralNameOf(kind)
  const ListPage = builder.objectRef<Page<object>>(`${nodeTypeName(kind)}Page`).implement({
    description: `A numbered page of ${plural}.`,
    interfaces: [PageInterface],
    fields: (t) => ({
      items: t.field({ type: [type], description: `The ${plural} of the page.`, resolve: (page) => page.items() }),
      ...(kind === 'event' && { searchMatch: t.field(searchMatchFieldOptions) }),
    }),
  })
  builder.queryFields((t) => {
    const listArgs = {
      filter: t.arg({ type: filter, description: `Selects the ${plural}.` }),
      ...(order && {
        orderBy: t.arg({ type: order, description: orderDescription ?? 'Sort order of the list.' }),
      }),
    }
    return {
      [plural]: t.connection(
        {
          type,
          description,
          extensions: complexity({ slicingArguments: ['first', 'last'] }),
          args: listArgs,
          resolve: async (_root, args, context, info) => {
            permit?.(context)
            const selection = buildSelection(context, info, nodePaths)
            const found = await list(args, context)
            const [connection] = await loadConnections<object>(context, kind, { ...found, selection }, args, info)
            return connection
          },
        },
        getConnectionType(kind, type),
      ),
      [`${plural}Page`]: t.field({
        type: ListPage,
        description: `The list \`${plural}\` with page numbers instead of cursors.`,
        extensions: complexity({ slicingArguments: ['perPage'] }),
        args: {
          page: t.arg.int({ description: 'Page number, from 1.' }),
          perPage: t.arg.int({ description: `Number of ${plural} on a page. ${pageSizeDescription}` }),
          ...listArgs,
        },
        resolve: async (_root, args, context, info) => {
          permit?.(context)
          const place = createPageSlice(args, context.settings)
          const selection = buildSelection(context, info, { path: ['items'] })
          const found = await list(args, context)
          return loadNumberedPage(context, kind, { ...found, selection }, place, info)
        },
      }),
    }
  })
}
