// The queries that every kind has: one record, a connection, and the same list by page numbers.
import type { InputRef, ObjectRef } from '@pothos/core'
import type { Context } from '../../context.ts'
import { builder, type SchemaTypes } from '../../graphql/builder.ts'
import { complexity } from '../../graphql/limits/complexity.ts'
import { type Page, PageInterface, slice, totalCount } from '../../graphql/pagination.ts'
import { selectionOf } from '../../graphql/record-selection.ts'
import { identify } from '../identify.ts'
import { isPost, kinds, type RecordKind, withArticle } from '../kinds.ts'
import { postRefusal, termRefusal } from '../lifecycle/not-found-reason.ts'
import { readable } from '../lifecycle/status.ts'
import { inLanguage } from '../text/served-text.ts'
import { connectionOf, type ListQuery, pageOf } from './pages.ts'
import { findRecord } from './records.ts'

interface ListArgs<Filter, Order> {
  readonly filter?: Filter | null | undefined
  readonly orderBy?: Order | null | undefined
}

interface RecordQueries<Filter, Order> {
  readonly type: ObjectRef<SchemaTypes, object>
  readonly filter: InputRef<Filter>
  readonly order: InputRef<Order>
  /** What the list holds, and in which order it is by default. */
  readonly description: string
  /** What the filter and the order come down to. */
  list(args: ListArgs<Filter, Order>, context: Context): Promise<Omit<ListQuery, 'selection'>>
}

export function addRecordQueries<Filter extends object, Order extends object>(
  kind: RecordKind,
  queries: RecordQueries<Filter, Order>,
): void
export function addRecordQueries(
  kind: RecordKind,
  { type, filter, order, description, list }: RecordQueries<object, object>,
): void {
  const { type: typeName, plural } = kinds[kind]
  const Plural = plural.charAt(0).toUpperCase() + plural.slice(1)
  const [_aRecord, ARecord] = [withArticle(kind), withArticle(kind).replace('a', 'A')]

  const RecordPage = builder.objectRef<Page<object>>(`${typeName}Page`).implement({
    description: `A page of ${plural}.`,
    interfaces: [PageInterface],
    fields: (t) => ({
      items: t.field({ type: [type], description: `Its ${plural}.`, resolve: (page) => page.items() }),
    }),
  })

  builder.queryFields((t) => {
    const listArgs = {
      filter: t.arg({ type: filter, description: `Which ${plural}.` }),
      orderBy: t.arg({ type: order, description: 'In which order.' }),
    }
    return {
      [kind]: t.field({
        type,
        nullable: true,
        description: `${ARecord} by its ID, opaque or a number, or by any of its slugs.`,
        args: {
          id: t.arg.id({ description: 'Opaque ID or number.' }),
          slug: t.arg.string({ description: 'Slug in any language.' }),
        },
        resolve: async (_root, args, context, info) => {
          const selection = selectionOf(context, info)
          const identity = identify(kind, args)
          const named = 'id' in identity ? identity : { slugs: { some: identity }, ...inLanguage(context) }
          const where = isPost(kind) ? { AND: [named, readable(context)] } : named
          const record = await findRecord(context, kind, selection, where)
          if (record) return record
          throw isPost(kind) ? await postRefusal(context, kind, identity) : await termRefusal(context, kind, identity)
        },
      }),
      [plural]: t.connection(
        {
          type,
          description,
          extensions: complexity({ slicingArguments: ['first', 'last'] }),
          args: listArgs,
          resolve: async (_root, args, context, info) => {
            const selection = selectionOf(context, info, { paths: [['edges', 'node'], ['nodes']] })
            const query = await list(args, context)
            return connectionOf(context, kind, { ...query, selection }, args)
          },
        },
        { description: `${Plural}, with cursors.`, fields: (field) => ({ totalCount: field.int(totalCount) }) },
        { description: `${ARecord} in a list.` },
      ),
      [`${plural}Page`]: t.field({
        type: RecordPage,
        description: `The same list as \`${plural}\`, by page numbers.`,
        extensions: complexity({ slicingArguments: ['perPage'] }),
        args: {
          page: t.arg.int({ description: 'From 1.' }),
          perPage: t.arg.int({ description: `${Plural} on a page.` }),
          ...listArgs,
        },
        resolve: async (_root, args, context, info) => {
          const part = slice(args, context.settings)
          const selection = selectionOf(context, info, { path: ['items'] })
          const query = await list(args, context)
          return pageOf(context, kind, { ...query, selection }, part)
        },
      }),
    }
  })
}
