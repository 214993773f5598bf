import { z } from 'zod'
import { LegacyError } from '../errors.ts'
import { line, title } from '../write-params.ts'

/** Body parameters for creating and updating a tag. */
export const tagBody = {
  name: title.optional().describe('Name.'),
  description: line.optional().describe('Description.'),
  slug: title.optional().describe('Slug.'),
  parent: z.unknown().optional().describe('Tags have no parents. Only 0 is accepted.'),
}

type Body = z.output<z.ZodObject<typeof tagBody>>

export function tagInput({ description, slug, parent }: Body) {
  // Responses show the parent 0, which clients may send back.
  if (parent === undefined || parent === 0 || parent === '0') return { description, slug }
  throw new LegacyError(400, 'rest_taxonomy_not_hierarchical', 'Tags have no parents. Omit `parent` or send 0.')
}
