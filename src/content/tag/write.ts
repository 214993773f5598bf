// Creating and changing tags; called by their mutations, and by events that name one.
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { acquireAdvisoryLock } from '../../db/transaction.ts'
import { termExists } from '../../errors.ts'
import { builder } from '../../graphql/builder.ts'
import { existingTerm } from '../lifecycle/existing-records.ts'
import { checkAll } from '../lifecycle/input-errors.ts'
import { lockTerm, plainTerm, refuseTakenSlug, requireTermRights, termInputs } from '../lifecycle/term.ts'
import { slugify } from '../text/slug.ts'
import { lineInput, nameInput, textChanges } from '../text/text-input.ts'
import { writeText } from '../text/write-text.ts'

export const CreateTagInput = builder.inputType('CreateTagInput', {
  description: 'A new tag; its text is in the language of the operation.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Plain text, not empty.' }),
    ...termInputs(t),
  }),
})

export const UpdateTagInput = builder.inputType('UpdateTagInput', {
  description: 'Changes of a tag: what is not given stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Opaque ID or number.' }),
    name: t.string({ description: 'Plain text, not empty.' }),
    ...termInputs(t),
  }),
})

type Create = Pick<typeof CreateTagInput.$inferInput, 'name'> & Partial<typeof CreateTagInput.$inferInput>
type Update = typeof UpdateTagInput.$inferInput

/** Creates a tag and answers its number. Throws termExists for a name that is there already. */
export async function createTag(tx: Tx, input: Create, context: Context): Promise<number> {
  const { language, settings } = context
  const name = lineInput(input.name) ?? ''
  const changes = await tagTexts(input, language, context)
  await acquireAdvisoryLock(tx, 'tag')
  const existing = await existingTerm(tx, 'tag', name, undefined)
  if (existing !== undefined && !(await isFreeSlug(tx, input.slug))) throw termExists('tag', existing)
  const { id } = await tx.tag.create({ data: { originalLanguage: language }, select: { id: true } })
  await writeText(tx, 'tag', { id, changes, slugs: 'from names' }, settings)
  return id
}

/** Changes what is given, and nothing else. */
export async function updateTag(tx: Tx, input: Update, context: Context): Promise<number> {
  const { id, original } = await lockTerm(tx, 'tag', input.id, context)
  requireTermRights('tag', context)
  const { changes } = await checkAll({
    slug: () => refuseTakenSlug(tx, 'tag', id, input.slug),
    changes: () => tagTexts(input, original, context),
  })
  await writeText(tx, 'tag', { id, changes, slugs: 'from names' }, context.settings)
  return id
}

function tagTexts(input: Create | Update, original: string, { language, settings: { languages } }: Context) {
  const change = () => ({ name: nameInput('name', input.name), ...plainTerm(input) })
  return textChanges({ language, original, languages }, change, input.translations, plainTerm)
}

async function isFreeSlug(tx: Tx, slug: string | null | undefined): Promise<boolean> {
  return !!slug && (await tx.tagSlug.findUnique({ where: { slug: slugify(slug) } })) === null
}
