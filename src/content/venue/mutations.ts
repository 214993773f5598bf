import { builder } from '../../graphql/builder.ts'
import { DeletionPayload, mutate, type Outcome, userErrorsField, writtenRecord } from '../mutation.ts'
import { purgePost, RecordInput, restorePost, trashPost } from '../trash.ts'
import { Venue } from './type.ts'
import { CreateVenueInput, createVenue, UpdateVenueInput, updateVenue } from './write.ts'

const VenuePayload = builder.objectRef<Outcome>('VenuePayload').implement({
  description: 'What became of a venue.',
  fields: (t) => ({
    venue: t.field({
      type: Venue,
      nullable: true,
      description: 'As it is now; null when nothing was written.',
      resolve: writtenRecord<typeof Venue.$inferType>('venue'),
    }),
    userErrors: t.field(userErrorsField),
  }),
})

builder.mutationFields((t) => ({
  createVenue: t.field({
    type: VenuePayload,
    description: 'Creates a venue, in the language of the operation.',
    args: { input: t.arg({ type: CreateVenueInput, required: true, description: 'What to write.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => createVenue(tx, input, context)),
  }),
  updateVenue: t.field({
    type: VenuePayload,
    description: 'Changes a venue: what is not given stays. Text is written in the language of the operation.',
    args: { input: t.arg({ type: UpdateVenueInput, required: true, description: 'What to change.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => updateVenue(tx, input, context)),
  }),
  trashVenue: t.field({
    type: VenuePayload,
    description: 'Puts a venue into the trash.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which venue.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => trashPost(tx, 'venue', input, context)),
  }),
  restoreVenue: t.field({
    type: VenuePayload,
    description: 'Takes a venue out of the trash, to where it was before.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which venue.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => restorePost(tx, 'venue', input, context)),
  }),
  deleteVenue: t.field({
    type: DeletionPayload,
    description: 'Deletes a venue for good; for administrators and editors.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which venue.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => purgePost(tx, 'venue', input, context)),
  }),
}))
