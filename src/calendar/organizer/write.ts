import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { resolveImageInput } from '../image/storage/write.ts'
import { resolveAuthor } from '../lifecycle/linked-records.ts'
import type { ImportedValues } from '../lifecycle/modified-at.ts'
import {
  createNamedPost,
  createNamedPostFields,
  updateNamedPost,
  updateNamedPostFields,
} from '../lifecycle/named-posts.ts'
import { addPostMutations } from '../lifecycle/record-mutations.ts'
import { checkEmail, checkUrl, readLineInput } from '../text/text-input.ts'
import { Organizer } from './type.ts'

const organizerInputs = (t: InputFields) => ({
  phone: t.string({ description: 'Telephone number.' }),
  website: t.string({ description: 'Website: an absolute URL, or empty.' }),
  email: t.string({ description: 'E-mail address, or empty.' }),
  anyEmail: t.boolean({ description: 'True: `email` may be any text, as in the REST API.' }),
})

export const CreateOrganizerInput = builder.inputType('CreateOrganizerInput', {
  description: 'A new organizer. Its name and texts are in the language of the operation.',
  fields: (t) => ({ ...createNamedPostFields(t, 'organizer'), ...organizerInputs(t) }),
})

const UpdateOrganizerInput = builder.inputType('UpdateOrganizerInput', {
  description: 'Changes to an organizer. Fields that the input omits stay unchanged.',
  fields: (t) => ({ ...updateNamedPostFields(t), ...organizerInputs(t) }),
})

type Create = typeof CreateOrganizerInput.$inferInput

export const createOrganizer = (tx: Tx, input: Create, context: Context, imported?: ImportedValues): Promise<number> =>
  createNamedPost(tx, 'organizer', input, () => organizerData(tx, input, context), context, imported)

addPostMutations('organizer', {
  type: Organizer,
  createInput: CreateOrganizerInput,
  create: createOrganizer,
  updateInput: UpdateOrganizerInput,
  update: (tx, input, context) =>
    updateNamedPost(tx, 'organizer', input, () => organizerData(tx, input, context), context),
})

async function organizerData(tx: Tx, input: Create | typeof UpdateOrganizerInput.$inferInput, context: Context) {
  const { viewer } = context
  const { image, ...columns } = await checkAll({
    authorId: () => viewer && resolveAuthor(tx, input.authorId, viewer),
    website: () => checkUrl('website', input.website),
    email: () => (input.anyEmail ? readLineInput(input.email) : checkEmail('email', input.email)),
    image: () => resolveImageInput(tx, input, context),
  })
  const phone = readLineInput(input.phone)
  return { columns: { ...columns, phone } satisfies Prisma.OrganizerUncheckedUpdateInput, image }
}
