// Creating and changing categories; called by their mutations, and by events that name one.
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { acquireAdvisoryLock } from '../../db/transaction.ts'
import { badInput, termExists } from '../../errors.ts'
import { builder } from '../../graphql/builder.ts'
import { existingTerm } from '../lifecycle/existing-records.ts'
import { checkAll } from '../lifecycle/input-errors.ts'
import { lockTerm, plainTerm, refuseTakenSlug, requireTermRights, termInputs } from '../lifecycle/term.ts'
import { slugify } from '../text/slug.ts'
import { lineInput, nameInput, textChanges } from '../text/text-input.ts'
import { writeText } from '../text/write-text.ts'
import { addToTree, moveInTree } from './tree.ts'

export const CreateCategoryInput = builder.inputType('CreateCategoryInput', {
  description: 'A new category; its text is in the language of the operation.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Plain text, not empty.' }),
    ...termInputs(t),
    parentId: t.int({ description: 'Number of the category that it is part of; 0 or null: of none.' }),
  }),
})

export const UpdateCategoryInput = builder.inputType('UpdateCategoryInput', {
  description: 'Changes of a category: what is not given stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Opaque ID or number.' }),
    name: t.string({ description: 'Plain text, not empty.' }),
    ...termInputs(t),
    parentId: t.int({ description: 'Number of the category that it is part of; 0 or null: of none.' }),
  }),
})

type Create = Pick<typeof CreateCategoryInput.$inferInput, 'name'> & Partial<typeof CreateCategoryInput.$inferInput>
type Update = typeof UpdateCategoryInput.$inferInput

/** Who changes names or the tree looks at more than one category: they take turns, before they lock any. */
export const takeTreeTurn = (tx: Tx) => acquireAdvisoryLock(tx, 'category')

/** Creates a category and answers its number. Throws termExists for a name that its parent has already. */
export async function createCategory(tx: Tx, input: Create, context: Context): Promise<number> {
  const { language, settings } = context
  const name = lineInput(input.name) ?? ''
  const parentId = input.parentId || null
  await takeTreeTurn(tx)
  const { changes } = await checkAll({
    parent: () => checkParent(tx, parentId, undefined),
    changes: async () => {
      const slug = await slugBelow(tx, parentId, input.slug || name, context)
      return categoryTexts({ ...input, slug }, language, context)
    },
  })
  const existing = await existingTerm(tx, 'category', name, parentId)
  if (existing !== undefined) await refuseSameName(tx, existing, parentId, input.slug)
  const { id } = await tx.category.create({ data: { originalLanguage: language, parentId }, select: { id: true } })
  await addToTree(tx, id, parentId)
  await writeText(tx, 'category', { id, changes, slugs: 'from names' }, settings)
  return id
}

/** Changes what is given, and nothing else. */
export async function updateCategory(tx: Tx, input: Update, context: Context): Promise<number> {
  const parentId = input.parentId === undefined ? undefined : input.parentId || null
  if (parentId !== undefined) await takeTreeTurn(tx)
  const { id, original } = await lockTerm(tx, 'category', input.id, context)
  requireTermRights('category', context)
  const { changes } = await checkAll({
    parent: () => parentId !== undefined && checkParent(tx, parentId, id),
    slug: () => refuseTakenSlug(tx, 'category', id, input.slug),
    changes: () => categoryTexts(input, original, context),
  })
  if (parentId !== undefined) {
    await tx.category.update({ where: { id }, data: { parentId } })
    await moveInTree(tx, id, parentId)
  }
  await writeText(tx, 'category', { id, changes, slugs: 'from names' }, context.settings)
  return id
}

/** Its parts move to its parent. */
export async function deleteCategory(tx: Tx, id: number): Promise<void> {
  const { parentId, children } = await tx.category.findUniqueOrThrow({ where: { id }, include: { children: true } })
  for (const child of children) {
    await tx.category.update({ where: { id: child.id }, data: { parentId } })
    await moveInTree(tx, child.id, parentId)
  }
  await tx.category.delete({ where: { id } })
}

function categoryTexts(input: Create | Update, original: string, { language, settings: { languages } }: Context) {
  const change = () => ({ name: nameInput('name', input.name), ...plainTerm(input) })
  return textChanges({ language, original, languages }, change, input.translations, plainTerm)
}

const slugOwner = async (tx: Tx, slug: string) =>
  (await tx.categorySlug.findUnique({ where: { slug: slugify(slug) }, select: { category: true } }))?.category

/** A name that is there needs a slug of its own, and one that nothing beside it has (contract f.2). */
async function refuseSameName(tx: Tx, existing: number, parentId: number | null, slug: string | null | undefined) {
  if (!slug) throw termExists('category', existing)
  const owner = await slugOwner(tx, slug)
  if (owner?.id === existing || owner?.parentId === parentId) throw termExists('category', owner.id)
}

/** The slug of a new category; where another has it, with that of its parent. */
async function slugBelow(tx: Tx, parentId: number | null, wanted: string, { language }: Context): Promise<string> {
  if (parentId === null || !(await slugOwner(tx, wanted))) return wanted
  const where = { categoryId_language: { categoryId: parentId, language } }
  const parent = await tx.categoryText.findUnique({ where, select: { slug: true } })
  return `${slugify(wanted)}-${parent?.slug ?? ''}`
}

async function checkParent(tx: Tx, parentId: number | null, id: number | undefined): Promise<void> {
  if (parentId === null) return
  const parent = await tx.category.findUnique({ where: { id: parentId }, select: { id: true } })
  if (!parent) throw badInput({ parentId: 'There is no such category.' })
  if (id === undefined) return
  const isBelow = await tx.categoryPath.count({ where: { ancestorId: id, descendantId: parentId } })
  if (isBelow > 0) throw badInput({ parentId: 'A category is not part of itself.' })
}
