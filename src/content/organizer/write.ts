// Creating and changing organizers: called by their mutations, and by events that bring one along.
import type { Context } from '../../context.ts'
import { type Tx, takeTurn } from '../../db/client.ts'
import { builder, type InputFields } from '../../graphql/builder.ts'
import { existingPost } from '../existing.ts'
import { findImage, imageIdOf } from '../image/write.ts'
import { checkUrl, lineInput, textChange, textChanges, withoutUndefined } from '../input.ts'
import { authorFor } from '../links.ts'
import { modification } from '../mutation.ts'
import { storedPassword } from '../password.ts'
import { identityInputs, ifUnmodifiedSince, lockPost, postInputs, reclaimSlugs, requirePostEdit } from '../post.ts'
import { checkAll } from '../problems.ts'
import { requireRight } from '../rights.ts'
import { releaseSlugs } from '../slug.ts'
import { firstStanding, nextStanding } from '../transition.ts'
import { writeText } from '../write-text.ts'

const organizerInputs = (t: InputFields) => ({
  ...postInputs(t),
  phone: t.string({ description: 'Telephone number.' }),
  website: t.string({ description: 'Absolute URL, or empty.' }),
  email: t.string({ description: 'E-mail address.' }),
})

export const CreateOrganizerInput = builder.inputType('CreateOrganizerInput', {
  description: 'An new organizer; its text is in the language of the operation.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Plain text, not empty.' }),
    ...organizerInputs(t),
    orExisting: t.boolean({
      defaultValue: false,
      description:
        'Answer with the organizer of the same name (and description, if given) when there is one, unchanged.',
    }),
  }),
})

export const UpdateOrganizerInput = builder.inputType('UpdateOrganizerInput', {
  description: 'Changes of an organizer: what is not given stays as it is.',
  fields: (t) => ({
    ...identityInputs(t),
    name: t.string({ description: 'Plain text, not empty.' }),
    ...organizerInputs(t),
    ifUnmodifiedSince: ifUnmodifiedSince(t),
  }),
})

type Create = typeof CreateOrganizerInput.$inferInput
type Update = typeof UpdateOrganizerInput.$inferInput

/** Creates an organizer for the viewer and answers its number; with `orExisting` that of one which is there. */
export async function createOrganizer(tx: Tx, input: Create, context: Context): Promise<number> {
  const viewer = requireRight(context.viewer, 'write')
  const { language, settings, site, now } = context
  const { changes, data } = await checkAll({
    changes: () => organizerTexts(input, language, context),
    data: () => organizerData(tx, input, context),
  })
  if (input.orExisting) {
    await takeTurn(tx, 'organizer')
    const existing = await existingPost(tx, 'organizer', lineInput(input.name) ?? '', input.description, context)
    if (existing !== undefined) return existing
  }
  const standing = firstStanding(input, viewer, now)
  const { id } = await tx.organizer.create({
    data: {
      ...data.columns,
      ...standing,
      imageId: await imageIdOf(tx, data.image, context),
      passwordKey: await storedPassword(input.password, site),
      authorId: data.columns.authorId ?? viewer.id,
      trashedFrom: standing.status === 'trash' ? 'draft' : null,
      modifiedAt: now,
      originalLanguage: language,
    },
    select: { id: true },
  })
  await writeText(
    tx,
    'organizer',
    { id, changes, slugs: standing.status === 'trash' ? 'as given' : 'from names' },
    settings,
  )
  if (standing.status === 'trash') await releaseSlugs(tx, 'organizer', id)
  return id
}

/** Changes what is given, and nothing else. */
export async function updateOrganizer(tx: Tx, input: Update, context: Context): Promise<number> {
  const { settings, site, now } = context
  const id = await lockPost(tx, 'organizer', input, context)
  const before = await tx.organizer.findUniqueOrThrow({ where: { id } })
  const viewer = requirePostEdit('organizer', before, input, context)
  const standing = nextStanding(input, before, viewer, now)
  const { changes, data } = await checkAll({
    changes: () => organizerTexts(input, before.originalLanguage, context),
    data: () => organizerData(tx, input, context),
  })
  const trashing = standing.status === 'trash' && before.status !== 'trash'
  await tx.organizer.update({
    where: { id },
    data: {
      ...data.columns,
      ...standing,
      imageId: await imageIdOf(tx, data.image, context),
      passwordKey: await storedPassword(input.password, site),
      modifiedAt: modification(before.modifiedAt, now),
      trashedFrom: trashing ? before.status : null,
    },
  })
  const taken = before.status === 'trash' ? await reclaimSlugs(tx, 'organizer', id) : new Map<string, string>()
  for (const [other, slug] of taken) changes.set(other, { slug, ...withoutUndefined(changes.get(other)) })
  await writeText(tx, 'organizer', { id, changes, slugs: 'from names' }, settings)
  if (trashing) await releaseSlugs(tx, 'organizer', id)
  return id
}

function organizerTexts(input: Create | Update, original: string, { language, settings: { languages } }: Context) {
  const change = () => textChange('name', input.name, input)
  return textChanges({ language, original, languages }, change, input.translations)
}

async function organizerData(tx: Tx, input: Create | Update, context: Context) {
  const { viewer } = context
  const { image, ...columns } = await checkAll({
    authorId: () => viewer && authorFor(tx, input.authorId, viewer),
    website: () => checkUrl('website', input.website),
    image: () => findImage(tx, input, context),
  })
  return { columns: { ...columns, phone: lineInput(input.phone), email: lineInput(input.email) }, image }
}
