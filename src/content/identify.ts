import { decodeGlobalID } from '@pothos/plugin-relay'
import { badInput, notFound } from '../errors.ts'
import { kinds, type RecordKind } from './kinds.ts'
import { slugify } from './text/slug.ts'

interface Identity {
  readonly id?: string | null | undefined
  readonly slug?: string | null | undefined
}

const maxId = 2_147_483_647

/**
 * The record that the arguments identify: `id` is the global ID or the database ID, `slug` a slug in any language. Throws
 * badInput unless exactly one is set, and notFound for an ID that no record of the kind can have.
 */
export function identify(kind: RecordKind, { id, slug }: Identity): { id: number } | { slug: string } {
  if ((id == null) === (slug == null)) throw badInput({ id: 'Set either id or slug.', slug: 'Set either id or slug.' })
  if (slug != null) return { slug: slugify(slug) }
  const number = databaseId(kind, id ?? '')
  if (number === undefined) throw notFound(kind, 'id')
  return { id: number }
}

/** The database ID in a global ID of the kind, or in plain digits; undefined for an invalid ID. */
export function databaseId(kind: RecordKind, id: string): number | undefined {
  const digits = /^\d+$/.test(id) ? id : fromGlobalId(kinds[kind].type, id)
  const number = Number(digits)
  return digits !== undefined && /^\d+$/.test(digits) && number <= maxId ? number : undefined
}

function fromGlobalId(typeName: string, id: string): string | undefined {
  try {
    const decoded = decodeGlobalID(id)
    return decoded.typename === typeName ? decoded.id : undefined
  } catch {
    return undefined
  }
}

/** The filter for `node`: the visible record with the ID. An impossible ID matches nothing. */
export const nodeWhere = <Where extends object>(id: string, visible: Where) => ({
  ...visible,
  id: /^\d{1,10}$/.test(id) && Number(id) <= maxId ? Number(id) : -1,
})
