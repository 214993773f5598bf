import { badInputError, termExistsError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { acquireAdvisoryLock } from '../../engine/postgres/transaction.ts'
import { createTransactionReads } from '../../engine/reads/reads.ts'
import type { Context } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { findTermByName } from '../lifecycle/find-by-name.ts'
import { type ImportedValues, ifUnmodifiedSinceField } from '../lifecycle/modified-at.ts'
import { addTermMutations } from '../lifecycle/record-mutations.ts'
import { checkSlugIsFree, parseTermTexts, startTermUpdate, termInputFields } from '../lifecycle/term.ts'
import { findDatabaseIds, idDescription, parseReferencedId } from '../rules/identify.ts'
import { slugify } from '../text/slug.ts'
import { minorChangeField, readLineInput } from '../text/text-input.ts'
import { saveRecordTexts } from '../text/write-text.ts'
import { addCategoryToTree, moveCategoryInTree } from './tree.ts'
import { Category } from './type.ts'

const categoryInputs = (t: InputFields) => ({
  ...termInputFields(t),
  parentId: t.id({ description: `The parent category; null for a root category. ${idDescription('category')}` }),
})

const CreateCategoryInput = builder.inputType('CreateCategoryInput', {
  description: 'A new category. Its name and description are in the language of the operation.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Name of the category as plain text, not empty.' }),
    ...categoryInputs(t),
  }),
})

const UpdateCategoryInput = builder.inputType('UpdateCategoryInput', {
  description: 'Changes to a category. Fields that the input omits stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: idDescription('category') }),
    name: t.string({ description: 'Name of the category as plain text, not empty.' }),
    ...categoryInputs(t),
    minorChange: minorChangeField(t),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

type Create = Pick<typeof CreateCategoryInput.$inferInput, 'name'> & Partial<typeof CreateCategoryInput.$inferInput>

/** Acquires the lock that serializes changes of category names and of the tree. Acquire it before row locks, to avoid deadlocks. */
const lockCategoryTree = (tx: Tx) => acquireAdvisoryLock(tx, 'category')

/** Creates a category and returns its ID. Throws termExistsError if the parent has a child with this name. */
export async function createCategory(
  tx: Tx,
  input: Create,
  context: Context,
  { recordId }: ImportedValues = {},
): Promise<number> {
  const { language, settings } = context
  const name = readLineInput(input.name) ?? ''
  await lockCategoryTree(tx)
  const parentId = (await findParent(tx, input.parentId)) ?? null
  const { changes } = await checkAll({
    parent: () => checkParent(tx, input.parentId, parentId, undefined),
    changes: async () => {
      const slug = await slugUnderParent(tx, parentId, input.slug || name, context)
      return parseTermTexts({ ...input, slug }, language, context)
    },
    name: () => checkNameIsFree(tx, name, parentId, input.slug),
  })
  const { id } = await tx.category.create({
    data: { id: recordId, originalLanguage: language, modifiedAt: context.now, parentId },
    select: { id: true },
  })
  await addCategoryToTree(tx, id, parentId)
  await saveRecordTexts(tx, 'category', { id, changes, slugs: 'derived' }, settings)
  return id
}

async function updateCategory(
  tx: Tx,
  input: typeof UpdateCategoryInput.$inferInput,
  context: Context,
): Promise<number> {
  if (input.parentId !== undefined) await lockCategoryTree(tx)
  const { id, original } = await startTermUpdate(tx, 'category', input, context)
  const parentId = await findParent(tx, input.parentId)
  const { changes } = await checkAll({
    parent: () => checkParent(tx, input.parentId, parentId, id),
    slug: () => checkSlugIsFree(tx, 'category', id, input.slug),
    changes: () => parseTermTexts(input, original, context),
  })
  if (parentId !== undefined) {
    await tx.category.update({ where: { id }, data: { parentId } })
    await moveCategoryInTree(tx, id, parentId)
  }
  await saveRecordTexts(tx, 'category', { id, changes, slugs: 'derived' }, context.settings)
  return id
}

async function deleteCategory(tx: Tx, id: number): Promise<void> {
  const { parentId } = await tx.category.findUniqueOrThrow({ where: { id } })
  await moveChildren(tx, id, parentId)
  await tx.category.delete({ where: { id } })
}

async function moveChildren(tx: Tx, id: number, parentId: number | null): Promise<void> {
  for (const child of await tx.category.findMany({ where: { parentId: id } })) {
    await tx.category.update({ where: { id: child.id }, data: { parentId } })
    await moveCategoryInTree(tx, child.id, parentId)
  }
}

/** Moves the children of a category to the one into which it is merged. Throws badInputError if that one is below it. */
async function mergeChildren(tx: Tx, id: number, kept: number): Promise<void> {
  const isBelow = await tx.categoryPath.count({ where: { ancestorId: id, descendantId: kept } })
  if (isBelow > 0) throw badInputError({ mergedIds: 'The category to keep is below this one: move it first.' })
  await moveChildren(tx, id, kept)
}

addTermMutations('category', {
  type: Category,
  createInput: CreateCategoryInput,
  create: createCategory,
  updateInput: UpdateCategoryInput,
  update: updateCategory,
  deletion: 'Deletes a category permanently. Its events lose the category, and its children move to its parent.',
  beforeDelete: lockCategoryTree,
  beforeMerge: mergeChildren,
  remove: deleteCategory,
})

const slugOwner = async (tx: Tx, slug: string) =>
  (await tx.categorySlug.findUnique({ where: { slug: slugify(slug) }, select: { category: true } }))?.category

/** Throws termExistsError if a sibling category has the name, unless the input sets a slug that no sibling has (contract f.2). */
async function checkNameIsFree(tx: Tx, name: string, parentId: number | null, slug: string | null | undefined) {
  const existing = await findTermByName(tx, 'category', name, parentId)
  if (existing === undefined) return
  if (!slug) throw termExistsError('category', existing)
  const owner = await slugOwner(tx, slug)
  if (owner?.id === existing || owner?.parentId === parentId) throw termExistsError('category', owner.id)
}

/** Returns the slug of a new category: if another category has the slug, the slug of the parent category is appended. */
async function slugUnderParent(tx: Tx, parentId: number | null, slug: string, { language }: Context): Promise<string> {
  if (parentId === null || !(await slugOwner(tx, slug))) return slug
  const where = { categoryId_language: { categoryId: parentId, language } }
  const parent = await tx.categoryText.findUnique({ where, select: { slug: true } })
  return `${slugify(slug)}-${parent?.slug ?? ''}`
}

type ParentInput = string | null | undefined

/** Returns the database ID of the parent category; 0, which no category has, for an unknown or invalid ID. */
async function findParent(tx: Tx, parent: ParentInput): Promise<number | null | undefined> {
  if (parent == null) return parent
  const [found] = await findDatabaseIds(createTransactionReads(tx), 'category', [parent])
  return found && 'id' in found ? found.id : 0
}

/** Throws badInputError if the parent category is invalid or unknown, or is the category `id` or one of its descendants. */
async function checkParent(
  tx: Tx,
  input: ParentInput,
  parentId: number | null | undefined,
  id: number | undefined,
): Promise<void> {
  if (input == null || parentId == null) return
  parseReferencedId('category', input, 'parentId')
  const parent = await tx.category.findUnique({ where: { id: parentId }, select: { id: true } })
  if (!parent) throw badInputError({ parentId: 'There is no category with this ID or slug.' })
  if (id === undefined) return
  const isBelow = await tx.categoryPath.count({ where: { ancestorId: id, descendantId: parentId } })
  if (isBelow > 0) throw badInputError({ parentId: 'A category cannot be its own parent, nor below itself.' })
}
