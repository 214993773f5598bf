// The queries `node` and `nodes`, which find any kind of record by its global ID.
import { brandWithType } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { badInputError, type DomainError, type NodeKind } from '../../basics/errors.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { loadFieldByKey } from '../list/field-loader.ts'
import { findNotFoundReasons } from '../list/not-found-reason.ts'
import { findRecord, findRecordsByIds } from '../list/records.ts'
import { isMergeable, mergedIdSlug, nodeTypeName, type ParsedGlobalId, parseGlobalId } from '../rules/identify.ts'
import { readableFilter } from '../rules/status.ts'
import {
  usableImagesFilter,
  visibleCredentialsFilter,
  visibleProposalsFilter,
  visibleUsersFilter,
  visibleWebhooksFilter,
} from '../rules/visibility.ts'
import { findSeries } from '../series/find-series.ts'
import { findSlugOwners } from '../text/slug.ts'

const everything = () => ({})

const visible: Readonly<Record<NodeKind, (context: Context) => object>> = {
  event: readableFilter,
  series: readableFilter,
  venue: readableFilter,
  organizer: readableFilter,
  category: everything,
  tag: everything,
  image: usableImagesFilter,
  user: visibleUsersFilter,
  credential: visibleCredentialsFilter,
  webhook: visibleWebhooksFilter,
  webhookDelivery: visibleWebhooksFilter,
  proposal: visibleProposalsFilter,
}

const invalidId = () => badInputError({ id: 'Invalid ID. Send an ID that a field `id` returned.' })

const missing =
  'Null for an invalid ID, an ID without a record, and a record that you may not see; the error at the same path gives the reason.'

type Node = Pick<ParsedGlobalId, 'id'>

/** Finds records, those that were merged by the ID that they had. */
async function findOfKind(context: Context, info: GraphQLResolveInfo, kind: NodeKind, ids: readonly number[]) {
  const nodes: ReadonlyMap<number, Node> = await findPresent(context, info, kind, ids)
  const missing = ids.filter((id) => !nodes.has(id))
  if (missing.length === 0 || !isMergeable(kind)) return nodes
  const keptIds = await findSlugOwners(context.reads, kind, missing.map(mergedIdSlug))
  const kept = await findPresent(context, info, kind, [...new Set(keptIds.values())])
  const found = missing.flatMap((id): [number, Node][] => {
    const node = kept.get(keptIds.get(mergedIdSlug(id)) ?? 0)
    return node ? [[id, node]] : []
  })
  return new Map([...nodes, ...found])
}

async function findPresent(context: Context, info: GraphQLResolveInfo, kind: NodeKind, ids: readonly number[]) {
  const selection = buildSelection(context, info, { typeName: nodeTypeName(kind) })
  const condition = visible[kind](context)
  if (kind === 'series') return findSeries(context, selection, ids)
  const [id, ...others] = ids
  if (id === undefined) return new Map<number, Node>()
  if (others.length > 0) return findRecordsByIds<Node>(context, kind, selection, ids, condition)
  // One record takes one statement, a list two: one that finds the IDs, and one that reads their records.
  const node = await findRecord<Node>(context, kind, selection, { AND: [{ id }, condition] })
  return new Map(node && [[node.id, node]])
}

/** Returns the record or the error for each ID. The number of statements depends on the number of kinds, not of IDs. */
async function findNodesByGlobalId(
  context: Context,
  info: GraphQLResolveInfo,
  ids: readonly string[],
): Promise<(Node | DomainError)[]> {
  const parsed = ids.map(parseGlobalId)
  const byKind = Map.groupBy(
    parsed.filter((id) => id !== undefined),
    ({ kind }) => kind,
  )
  const found = new Map(
    await Promise.all(
      [...byKind].map(async ([kind, ofKind]) => {
        const distinct = [...new Set(ofKind.map(({ id }) => id))]
        const nodes = await findOfKind(context, info, kind, distinct)
        for (const node of nodes.values()) brandWithType(node, nodeTypeName(kind) as never)
        return [kind, nodes] as const
      }),
    ),
  )
  const nodeOf = ({ kind, id }: ParsedGlobalId) => found.get(kind)?.get(id)
  const unknown = parsed.filter((id) => id !== undefined && !nodeOf(id)) as ParsedGlobalId[]
  const reasonOf = await findNotFoundReasons(context, unknown)
  return parsed.map((id) => (id ? (nodeOf(id) ?? reasonOf(id)) : invalidId()))
}

/** Loads a record that an item of a list shows; an error if it cannot be read. The records of all items are loaded at once. */
export const loadNodeByGlobalId = (id: string, context: Context, info: GraphQLResolveInfo) =>
  loadFieldByKey(id, context, info, () => async (ids) => {
    const nodes = await findNodesByGlobalId(context, info, ids)
    // In an object, because a DataLoader rejects if a value is an error.
    return nodes.map((node) => ({ node }))
  }).then(({ node }) => node)

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: `A record by its global ID. ${missing}`,
    args: { id: t.arg.id({ required: true, description: 'Global ID of any kind of record.' }) },
    resolve: async (_root, { id }, context, info) => {
      const [node] = await findNodesByGlobalId(context, info, [String(id)])
      if (node instanceof Error) throw node
      return node
    },
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `Records by their global IDs, in the order of \`ids\`. ${missing}`,
    extensions: complexity({ slicingArguments: ['ids'] }),
    args: { ids: t.arg.idList({ required: true, description: 'Global IDs of any kinds of records.' }) },
    // For an item that is an error, execution returns null and adds the error with the index in its path.
    resolve: (_root, { ids }, context, info) => findNodesByGlobalId(context, info, ids.map(String)),
  }),
}))
