// Parses the IDs of records: global IDs, numbers, and slugs of categories and tags.
import { decodeGlobalID, encodeGlobalID } from '@pothos/plugin-relay'
import { badInputError, type NodeKind, wrongKindError, wrongKindMessage } from '../../basics/errors.ts'
import type { Reads } from '../../engine/reads/reads.ts'
import { isPost, kinds, type RecordKind, type TermKind, withArticle } from '../../kinds.ts'
import { findSlugOwners, slugify } from '../text/slug.ts'

const nodes: Readonly<Record<NodeKind, { readonly type: string; readonly plural: string }>> = {
  ...kinds,
  series: { type: 'EventSeries', plural: 'series' },
  image: { type: 'Image', plural: 'images' },
  user: { type: 'User', plural: 'users' },
  credential: { type: 'Credential', plural: 'credentials' },
  webhook: { type: 'Webhook', plural: 'webhooks' },
  webhookDelivery: { type: 'WebhookDelivery', plural: 'deliveries' },
  proposal: { type: 'Proposal', plural: 'proposals' },
}

const kindByType = new Map(Object.entries(nodes).map(([kind, { type }]) => [type, kind as NodeKind]))

/** Returns the GraphQL type name of a kind, which its global IDs contain. */
export const nodeTypeName = (kind: NodeKind): string => nodes[kind].type

/** Returns the plural of a kind, which is also the name of its GraphQL list. */
export const pluralNameOf = (kind: NodeKind): string => nodes[kind].plural

export const globalId = (kind: NodeKind, id: number): string => encodeGlobalID(nodes[kind].type, id)

/** Matches the start of global IDs: decoding other texts, such as slugs, would throw, which is slow. */
const globalIdStarts = new RegExp(
  `^(${Object.values(nodes)
    // The base64 digits that do not depend on what follows.
    .map(({ type }) => encodeGlobalID(type, '').slice(0, Math.floor(((type.length + 1) * 8) / 6)))
    .join('|')})`,
)

/** The kind and the database ID that a global ID of GraphQL encodes. */
export interface ParsedGlobalId {
  readonly kind: NodeKind
  readonly id: number
}

/** Returns the kind and the database ID in a global ID; undefined for any other text. */
export function parseGlobalId(text: string): ParsedGlobalId | undefined {
  if (!globalIdStarts.test(text)) return undefined
  try {
    const decoded = decodeGlobalID(text)
    const [kind, id] = [kindByType.get(decoded.typename), parseDatabaseId(decoded.id)]
    return kind && id !== undefined ? { kind, id } : undefined
  } catch {
    return undefined
  }
}

const maxId = 2_147_483_647

/** Parses digits as a database ID; 0, which no record has, for a number that is too large. Undefined for any other text. */
export function parseDatabaseId(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined
  const id = Number(text)
  return id <= maxId ? id : 0
}

/** What identifies a record: its database ID or its slug. */
export type RecordKey = { readonly id: number } | { readonly slug: string }

interface InvalidId {
  readonly problem: string
  readonly actual?: NodeKind
}

/** Parses an ID, or returns why the ID is invalid. Only categories and tags can be identified by slug. */
export function parseId(kind: NodeKind, text: string): RecordKey | InvalidId {
  const id = parseDatabaseId(text)
  if (id !== undefined) return { id }
  const found = parseGlobalId(text)
  if (found?.kind === kind) return { id: found.id }
  if (found) return { problem: wrongKindMessage(kind, found.kind), actual: found.kind }
  const slug = isTerm(kind) && !/^-\d+$/.test(text) ? slugify(text) : ''
  return slug === '' ? { problem: invalidId(kind) } : { slug }
}

const isTerm = (kind: NodeKind): kind is TermKind => Object.hasOwn(kinds, kind) && !isPost(kind as RecordKind)

const invalidId = (kind: NodeKind): string =>
  `Invalid ID. Send the \`id\`${isTerm(kind) ? ', the `databaseId` or a slug' : ' or the `databaseId`'} of ${withArticle(kind)}.`

/** Throws badInputError for an invalid ID and unless exactly one of `id` and `slug` is set; wrongKindError for another type of ID. */
export function identifyRecord(
  kind: NodeKind,
  { id, slug }: { readonly id?: string | null | undefined; readonly slug?: string | null | undefined },
): RecordKey {
  if ((id == null) === (slug == null))
    throw badInputError({ id: 'Set either id or slug.', slug: 'Set either id or slug.' })
  if (slug != null) return { slug: slugify(slug) }
  return requireIdentity(kind, id ?? '')
}

function requireIdentity(kind: NodeKind, text: string): RecordKey {
  const identity = parseId(kind, text)
  if (!('problem' in identity)) return identity
  throw identity.actual ? wrongKindError(kind, identity.actual) : badInputError({ id: identity.problem })
}

/** Kinds that the type ID can only identify by ID, not by slug. */
type WithoutSlug = Exclude<NodeKind, TermKind>

/** Parses the ID argument of an operation. Throws like `identifyRecord`. */
export const requireRecordId = (kind: WithoutSlug, text: string): number => idOf(requireIdentity(kind, text))

/** Parses an ID in an input field. Throws badInputError, also for a global ID of another type. */
export function parseReferencedId(kind: NodeKind, text: string, field: string): RecordKey {
  const identity = parseId(kind, text)
  if ('problem' in identity) throw badInputError({ [field]: identity.problem })
  return identity
}

/** Like `parseReferencedId`, for records without a slug. Returns null and undefined unchanged. */
export function parseReferenceId<None extends null | undefined>(
  kind: WithoutSlug,
  text: string | None,
  field: string,
): number | None {
  return typeof text === 'string' ? idOf(parseReferencedId(kind, text, field)) : text
}

/** The slug under which a record has the ID of one that was merged into it: no other slug contains the sign. */
export const mergedIdSlug = (id: number): string => `#${id}`

/** Kinds whose records can be merged. */
export const isMergeable = (kind: NodeKind): kind is Exclude<RecordKind, 'event'> =>
  Object.hasOwn(kinds, kind) && kind !== 'event'

/**
 * Returns the database ID for each ID, or why the ID is invalid; 0, which no record has, for an unknown slug. The ID of a record that
 * was merged is that of the kept one, with `includesMerged`.
 */
export async function findDatabaseIds(
  reads: Pick<Reads, 'rows'>,
  kind: NodeKind,
  texts: readonly string[],
  { includesMerged } = { includesMerged: true },
): Promise<({ readonly id: number } | InvalidId)[]> {
  const identities = texts.map((text) => parseId(kind, text))
  if (!isMergeable(kind)) return identities.map((identity) => ('slug' in identity ? { id: 0 } : identity))
  const slugOf = (identity: RecordKey) => ('slug' in identity ? identity.slug : mergedIdSlug(identity.id))
  const isLookedUp = (identity: RecordKey) => includesMerged || 'slug' in identity
  const slugs = identities.flatMap((identity) =>
    'problem' in identity || !isLookedUp(identity) ? [] : slugOf(identity),
  )
  const owners = await findSlugOwners(reads, kind, slugs)
  return identities.map((identity) =>
    'problem' in identity ? identity : { id: owners.get(slugOf(identity)) ?? idOf(identity) },
  )
}

/** The ID of an identity; 0, which no record has, for a slug. */
const idOf = (identity: RecordKey): number => ('id' in identity ? identity.id : 0)

/** For descriptions of arguments and fields: what identifies a record of the kind. */
export const idDescription = (kind: NodeKind): string =>
  isTerm(kind)
    ? `Global ID, databaseId or slug of ${withArticle(kind)}. Digits are a databaseId.`
    : `Global ID or databaseId of ${withArticle(kind)}.`
