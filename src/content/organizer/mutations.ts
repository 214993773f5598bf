import { builder } from '../../graphql/builder.ts'
import { DeletionPayload, mutate, type Outcome, userErrorsField, writtenRecord } from '../mutation.ts'
import { purgePost, RecordInput, restorePost, trashPost } from '../trash.ts'
import { Organizer } from './type.ts'
import { CreateOrganizerInput, createOrganizer, UpdateOrganizerInput, updateOrganizer } from './write.ts'

const OrganizerPayload = builder.objectRef<Outcome>('OrganizerPayload').implement({
  description: 'What became of an organizer.',
  fields: (t) => ({
    organizer: t.field({
      type: Organizer,
      nullable: true,
      description: 'As it is now; null when nothing was written.',
      resolve: writtenRecord<typeof Organizer.$inferType>('organizer'),
    }),
    userErrors: t.field(userErrorsField),
  }),
})

builder.mutationFields((t) => ({
  createOrganizer: t.field({
    type: OrganizerPayload,
    description: 'Creates an organizer, in the language of the operation.',
    args: { input: t.arg({ type: CreateOrganizerInput, required: true, description: 'What to write.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => createOrganizer(tx, input, context)),
  }),
  updateOrganizer: t.field({
    type: OrganizerPayload,
    description: 'Changes an organizer: what is not given stays. Text is written in the language of the operation.',
    args: { input: t.arg({ type: UpdateOrganizerInput, required: true, description: 'What to change.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => updateOrganizer(tx, input, context)),
  }),
  trashOrganizer: t.field({
    type: OrganizerPayload,
    description: 'Puts an organizer into the trash.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which organizer.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => trashPost(tx, 'organizer', input, context)),
  }),
  restoreOrganizer: t.field({
    type: OrganizerPayload,
    description: 'Takes an organizer out of the trash, to where it was before.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which organizer.' }) },
    resolve: (_root, { input }, context) =>
      mutate(context, input, (tx) => restorePost(tx, 'organizer', input, context)),
  }),
  deleteOrganizer: t.field({
    type: DeletionPayload,
    description: 'Deletes an organizer for good; for administrators and editors.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which organizer.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => purgePost(tx, 'organizer', input, context)),
  }),
}))
