import type { z } from 'zod'
import { line, title } from '../write-params.ts'

/** Fields of a tag, for creating and changing one (spec 2.5). */
export const tagBody = {
  name: title.optional().describe('Name.'),
  description: line.optional().describe('Description.'),
  slug: title.optional().describe('Slug.'),
}

type Body = z.output<z.ZodObject<typeof tagBody>>

export const tagInput = ({ description, slug }: Body) => ({ description, slug })
