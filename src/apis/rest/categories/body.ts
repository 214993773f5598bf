import { z } from 'zod'
import { line, smallId, title } from '../write-params.ts'

/** ID of the parent; 0 means the top level (QUIRK-32). */
const parent = z.preprocess(
  (value) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d{1,9}$/.test(value))
      ? smallId(String(value))
      : value,
  z.int('the ID of a category, or 0').min(0, 'the ID of a category, or 0'),
)

/** Body parameters for creating and updating a category. */
export const categoryBody = {
  name: title.optional().describe('Name.'),
  description: line.optional().describe('Description.'),
  slug: title.optional().describe('Slug.'),
  parent: parent.optional().describe('ID of the parent category; 0 for the top level.'),
}

type Body = z.output<z.ZodObject<typeof categoryBody>>

export const categoryInput = ({ description, slug, parent }: Body) => ({
  description,
  slug,
  parentId: parent === 0 ? null : parent,
})
