import { decodeGlobalID } from '@pothos/plugin-relay'
import { badInput, notFound } from '../errors.ts'
import { kinds, type RecordKind } from './kinds.ts'
import { slugify } from './text/slug.ts'

interface Identity {
  readonly id?: string | null | undefined
  readonly slug?: string | null | undefined
}

const largest = 2_147_483_647

/**
 * Which record of a kind the arguments of a single field name: `id` is the opaque ID or the number, `slug` any of its
 * slugs. Throws badInput unless exactly one is given, notFound for an ID that no record of the kind can have.
 */
export function identify(kind: RecordKind, { id, slug }: Identity): { id: number } | { slug: string } {
  if ((id == null) === (slug == null))
    throw badInput({ id: 'Give either id or slug.', slug: 'Give either id or slug.' })
  if (slug != null) return { slug: slugify(slug) }
  const number = databaseId(kind, id ?? '')
  if (number === undefined) throw notFound(kind, 'id')
  return { id: number }
}

/** The number in an opaque ID of the kind, or in plain digits; undefined when there is none, or none a record can have. */
export function databaseId(kind: RecordKind, id: string): number | undefined {
  const digits = /^\d+$/.test(id) ? id : opaque(kinds[kind].type, id)
  const number = Number(digits)
  return digits !== undefined && /^\d+$/.test(digits) && number <= largest ? number : undefined
}

function opaque(typeName: string, id: string): string | undefined {
  try {
    const decoded = decodeGlobalID(id)
    return decoded.typename === typeName ? decoded.id : undefined
  } catch {
    return undefined
  }
}

/** What `node` looks for: a record that is visible; a number that no record can have finds nothing. */
export const nodeWhere = <Where extends object>(id: string, visible: Where) => ({
  ...visible,
  id: /^\d{1,10}$/.test(id) && Number(id) <= largest ? Number(id) : -1,
})
