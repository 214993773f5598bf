import { z } from 'zod'
import { LegacyError } from '../errors.ts'
import { line, title } from '../write-params.ts'

/** Fields of a tag, for creating and changing one (spec 2.5). */
export const tagBody = {
  name: title.optional().describe('Name.'),
  description: line.optional().describe('Description.'),
  slug: title.optional().describe('Slug.'),
  parent: z.unknown().optional().describe('Refused but for 0: tags have no parents.'),
}

type Body = z.output<z.ZodObject<typeof tagBody>>

export function tagInput({ description, slug, parent }: Body) {
  // They show 0, which may come back.
  if (parent === undefined || parent === 0 || parent === '0') return { description, slug }
  throw new LegacyError(400, 'rest_taxonomy_not_hierarchical', 'Tags have no parents.')
}
