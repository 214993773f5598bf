// Parses the IDs of records: global IDs, numbers, and slugs of categories and tags.
import { decodeGlobalID } from '@pothos/plugin-relay'
import { badInput, type DomainError, type ErrorKind, wrongKind } from '../errors.ts'
import { isPost, kinds, type RecordKind, recordKinds, type TermKind, withArticle } from './kinds.ts'
import { slugify } from './text/slug.ts'

/** The names of the types that implement Node. */
const nodeTypes: Readonly<Record<ErrorKind, string>> = {
  ...(Object.fromEntries(recordKinds.map((kind) => [kind, kinds[kind].type])) as Record<RecordKind, string>),
  image: 'Image',
  user: 'User',
  credential: 'Credential',
}

const kindByType = new Map(Object.entries(nodeTypes).map(([kind, type]) => [type, kind as ErrorKind]))

export const nodeType = (kind: ErrorKind): string => nodeTypes[kind]

export interface GlobalId {
  readonly kind: ErrorKind
  readonly id: number
}

/** The kind and the number in a global ID; undefined for any other text. */
export function parseGlobalId(text: string): GlobalId | undefined {
  // Decoding throws for most other texts, which is slow for long lists of names.
  if (!/^[\w+/-]+={0,2}$/.test(text)) return undefined
  try {
    const { typename, id } = decodeGlobalID(text)
    const kind = kindByType.get(typename)
    return kind && /^\d+$/.test(id) ? { kind, id: toId(id) } : undefined
  } catch {
    return undefined
  }
}

const maxId = 2_147_483_647

/** The ID; 0, which no record has, for a number that is too large for an ID. */
function toId(digits: string): number {
  const id = Number(digits)
  return id <= maxId ? id : 0
}

export type Identity = { readonly id: number } | { readonly slug: string }

/** What an ID identifies, or why it is invalid. Only categories and tags can be identified by slug. */
export function parseId(kind: ErrorKind, text: string): Identity | { readonly error: DomainError } {
  if (/^\d+$/.test(text)) return { id: toId(text) }
  const found = parseGlobalId(text)
  if (found) return found.kind === kind ? { id: found.id } : { error: wrongKind(kind, found.kind) }
  const slug = isTerm(kind) && !/^-\d+$/.test(text) ? slugify(text) : ''
  return slug === '' ? { error: badInput({ id: invalidId(kind) }) } : { slug }
}

const isTerm = (kind: ErrorKind): kind is TermKind => Object.hasOwn(kinds, kind) && !isPost(kind as RecordKind)

const invalidId = (kind: ErrorKind): string =>
  isTerm(kind)
    ? `Invalid ID. Send the \`id\`, the \`databaseId\` or a slug of ${withArticle(kind)}.`
    : `Invalid ID. Send the \`id\` or the \`databaseId\` of ${withArticle(kind)}.`

interface IdOrSlug {
  readonly id?: string | null | undefined
  readonly slug?: string | null | undefined
}

/**
 * The record that the arguments `id` and `slug` identify, by ID or by a slug in any language. Throws badInput unless exactly
 * one is set, and for an invalid ID; wrongKind for a global ID of another type.
 */
export function identify(kind: ErrorKind, { id, slug }: IdOrSlug): Identity {
  if ((id == null) === (slug == null)) throw badInput({ id: 'Set either id or slug.', slug: 'Set either id or slug.' })
  if (slug != null) return { slug: slugify(slug) }
  const identity = parseId(kind, id ?? '')
  if ('error' in identity) throw identity.error
  return identity
}
