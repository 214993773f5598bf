// The body parameters of categories and tags, and the GraphQL input that they set.
import { z } from 'zod'
import { LegacyError } from './errors.ts'
import type { Params } from './params.ts'
import { clampId, lineParam, titleParam } from './write-params.ts'

const termBody = {
  name: titleParam.optional().describe('Name.'),
  description: lineParam.optional().describe('Description.'),
  slug: titleParam.optional().describe('Slug.'),
}

const parentFormat = 'the ID of a category, or 0'

const parent = z.preprocess(
  (value) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}$/.test(value))
      ? clampId(String(value))
      : value,
  z.int(parentFormat).min(0, parentFormat),
)

export const categoryBody = {
  ...termBody,
  parent: parent.optional().describe('ID of the parent category; 0 for the top level.'),
}

export const tagBody = {
  ...termBody,
  parent: z.unknown().optional().describe('Tags have no parents. Only 0 is accepted.'),
}

/** Converts the body to GraphQL input. The parent 0 means the top level (QUIRK-32 of the legacy contract). */
export const toCategoryInput = ({ description, slug, parent }: Params<typeof categoryBody>) => ({
  description,
  slug,
  parentId: parent === 0 ? null : parent,
})

export function toTagInput({ description, slug, parent }: Params<typeof tagBody>) {
  // Responses show the parent 0, which clients may send back.
  if (parent === undefined || parent === 0 || parent === '0') return { description, slug }
  throw new LegacyError(400, 'rest_taxonomy_not_hierarchical', 'Tags have no parents. Omit `parent` or send 0.')
}
