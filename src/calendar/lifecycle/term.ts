// Inputs and checks that writing categories and tags has in common.

import { inputProblemsError, notFoundError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { createTransactionReads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { TermKind } from '../../kinds.ts'
import { requirePermission, termPermissions } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { findNotFoundReason } from '../list/not-found-reason.ts'
import { identifyRecord } from '../rules/identify.ts'
import { slugify } from '../text/slug.ts'
import { parseTexts, readLineInput, TranslationInput } from '../text/text-input.ts'
import { requireNotModifiedSince, setModified } from './modified-at.ts'

export const TermInput = builder.inputType('TermInput', {
  description: 'Identifies a category or tag.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Global ID, databaseId or slug of the record. Digits are a databaseId.' }),
  }),
})

/** Throws unless the viewer may write events and manage terms of the kind (contract c.11). */
export function requireTermPermissions(kind: TermKind, { viewer }: Context): void {
  for (const permission of termPermissions[kind]) requirePermission(viewer, permission)
}

export const termInputFields = (t: InputFields) => ({
  description: t.string({ description: 'Description as plain text.' }),
  slug: t.string({ description: 'Name in URLs; by default derived from the name.' }),
  translations: t.field({ type: [TranslationInput], description: 'Text in other languages.' }),
})

/** Returns the text changes of an input. Descriptions of terms are plain text, and terms have no excerpt. */
export const parseTermTexts = (input: Parameters<typeof parseTexts>[0], original: string, { language }: Context) =>
  parseTexts(input, original, language, {
    clean: ({ description, slug }) => ({ description: description === null ? null : readLineInput(description), slug }),
  })

/** Locks the row of the term until the transaction ends. Throws notFoundError. */
export async function lockTerm(tx: Tx, kind: TermKind, idOrSlug: string, context: Context) {
  const identity = identifyRecord(kind, { id: idOrSlug })
  const [record, slugs, key] = [Prisma.raw(`"${kind}"`), Prisma.raw(`"${kind}_slug"`), Prisma.raw(`"${kind}_id"`)]
  const id =
    'id' in identity
      ? Prisma.sql`${identity.id}`
      : Prisma.sql`(SELECT ${key} FROM ${slugs} WHERE slug = ${identity.slug})`
  const rows = await tx.$queryRaw<{ id: number; original: string; modifiedAt: Date }[]>`
    SELECT id, original_language AS original, modified_at AS "modifiedAt" FROM ${record} WHERE id = ${id} FOR UPDATE`
  if (rows[0]) return rows[0]
  // The slug was sent as `id`.
  if ('slug' in identity) throw notFoundError(kind, 'id')
  throw await findNotFoundReason({ ...context, reads: createTransactionReads(tx) }, kind, identity)
}

interface TermUpdate {
  readonly id: string
  readonly ifUnmodifiedSince?: Date | null | undefined
}

/**
 * Locks the row of the term, and sets its modification time. Throws if the viewer may not update it, or if it was modified after
 * `ifUnmodifiedSince`.
 */
export async function startTermUpdate(tx: Tx, kind: TermKind, input: TermUpdate, context: Context) {
  const term = await lockTerm(tx, kind, input.id, context)
  requireTermPermissions(kind, context)
  await requireNotModifiedSince(tx, kind, term, input.ifUnmodifiedSince)
  await setModified(tx, kind, term, context.now)
  return term
}

/** Throws badInputError if another term has the slug: updates of terms add no suffix (QUIRK-35). */
export async function checkSlugIsFree(
  tx: Tx,
  kind: TermKind,
  id: number,
  slug: string | null | undefined,
): Promise<void> {
  if (!slug) return
  const [table, key] = [Prisma.raw(`"${kind}_slug"`), Prisma.raw(`"${kind}_id"`)]
  const [owner] = await tx.$queryRaw<{ id: number }[]>`
    SELECT ${key} AS id FROM ${table} WHERE slug = ${slugify(slug)}`
  if (!owner || owner.id === id) return
  throw inputProblemsError([
    { path: ['slug'], message: `Another ${kind} has this slug.`, existing: { kind, id: owner.id } },
  ])
}
