import { termExistsError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { findTermByName } from '../lifecycle/find-by-name.ts'
import { type ImportedValues, ifUnmodifiedSinceField } from '../lifecycle/modified-at.ts'
import { addTermMutations } from '../lifecycle/record-mutations.ts'
import { checkSlugIsFree, parseTermTexts, startTermUpdate, termInputFields } from '../lifecycle/term.ts'
import { idDescription } from '../rules/identify.ts'
import { slugify } from '../text/slug.ts'
import { minorChangeField, readLineInput } from '../text/text-input.ts'
import { saveRecordTexts } from '../text/write-text.ts'
import { Tag } from './type.ts'

const CreateTagInput = builder.inputType('CreateTagInput', {
  description: 'A new tag. Its name and description are in the language of the operation.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the tag as plain text, not empty.' }),
    ...termInputFields(t),
  }),
})

const UpdateTagInput = builder.inputType('UpdateTagInput', {
  description: 'Changes to a tag. Fields that the input omits stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('tag') }),
    name: t.string({ description: 'Name of the tag as plain text, not empty.' }),
    ...termInputFields(t),
    minorChange: minorChangeField(t),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

type Create = Pick<typeof CreateTagInput.$inferInput, 'name'> & Partial<typeof CreateTagInput.$inferInput>

/** Creates a tag and returns its ID. Throws termExistsError for an existing name, unless the input sets a free slug. */
export async function createTag(
  tx: Tx,
  input: Create,
  context: Context,
  { recordId }: ImportedValues = {},
): Promise<number> {
  const { language, settings } = context
  const name = readLineInput(input.name) ?? ''
  await acquireAdvisoryLock(tx, 'tag')
  const { changes } = await checkAll({
    changes: () => parseTermTexts(input, language, context),
    name: async () => {
      const existing = await findTermByName(tx, 'tag', name, undefined)
      if (existing !== undefined && !(await isFreeSlug(tx, input.slug))) throw termExistsError('tag', existing)
    },
  })
  const data = { id: recordId, originalLanguage: language, modifiedAt: context.now }
  const { id } = await tx.tag.create({ data, select: { id: true } })
  await saveRecordTexts(tx, 'tag', { id, changes, slugs: 'derived' }, settings)
  return id
}

async function updateTag(tx: Tx, input: typeof UpdateTagInput.$inferInput, context: Context): Promise<number> {
  const { id, original } = await startTermUpdate(tx, 'tag', input, context)
  const { changes } = await checkAll({
    slug: () => checkSlugIsFree(tx, 'tag', id, input.slug),
    changes: () => parseTermTexts(input, original, context),
  })
  await saveRecordTexts(tx, 'tag', { id, changes, slugs: 'derived' }, context.settings)
  return id
}

addTermMutations('tag', {
  type: Tag,
  createInput: CreateTagInput,
  create: createTag,
  updateInput: UpdateTagInput,
  update: updateTag,
  deletion: 'Deletes a tag permanently. Its events lose the tag.',
  remove: (tx, id) => tx.tag.delete({ where: { id } }),
})

async function isFreeSlug(tx: Tx, slug: string | null | undefined): Promise<boolean> {
  return !!slug && (await tx.tagSlug.findUnique({ where: { slug: slugify(slug) } })) === null
}
