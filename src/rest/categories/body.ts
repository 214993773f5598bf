import { z } from 'zod'
import { line, smallId, title } from '../write-params.ts'

/** 0 is the top level (QUIRK-32). */
const parent = z.preprocess(
  (value) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}$/.test(value))
      ? smallId(String(value))
      : value,
  z.int('the number of a category, or 0').min(0, 'the number of a category, or 0'),
)

/** Fields of a category, for creating and changing one (spec 2.4). */
export const categoryBody = {
  name: title.optional().describe('Name.'),
  description: line.optional().describe('Description.'),
  slug: title.optional().describe('Slug.'),
  parent: parent.optional().describe('Number of the parent category.'),
}

type Body = z.output<z.ZodObject<typeof categoryBody>>

export const categoryInput = ({ description, slug, parent: parentId }: Body) => ({ description, slug, parentId })
