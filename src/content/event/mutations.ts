import { builder } from '../../graphql/builder.ts'
import { DeletionPayload, mutate, type Outcome, userErrorsField, writtenRecord } from '../mutation.ts'
import { purgePost, RecordInput, restorePost, trashPost } from '../trash.ts'
import { CreateEventInput, UpdateEventInput } from './inputs.ts'
import { Event } from './type.ts'
import { createEvent, updateEvent } from './write.ts'

const EventPayload = builder.objectRef<Outcome>('EventPayload').implement({
  description: 'What became of an event.',
  fields: (t) => ({
    event: t.field({
      type: Event,
      nullable: true,
      description: 'As it is now; null when nothing was written.',
      resolve: writtenRecord<typeof Event.$inferType>('event'),
    }),
    userErrors: t.field(userErrorsField),
  }),
})

builder.mutationFields((t) => ({
  createEvent: t.field({
    type: EventPayload,
    description: 'Creates an event, in the language of the operation.',
    args: { input: t.arg({ type: CreateEventInput, required: true, description: 'What to write.' }) },
    resolve: (_root, { input }, context) =>
      mutate(context, input, (tx) => createEvent(tx, input, context), 'alone if possible'),
  }),
  updateEvent: t.field({
    type: EventPayload,
    description: 'Changes an event: what is not given stays. Text is written in the language of the operation.',
    args: { input: t.arg({ type: UpdateEventInput, required: true, description: 'What to change.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => updateEvent(tx, input, context)),
  }),
  trashEvent: t.field({
    type: EventPayload,
    description: 'Puts an event into the trash.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which event.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => trashPost(tx, 'event', input, context)),
  }),
  restoreEvent: t.field({
    type: EventPayload,
    description: 'Takes an event out of the trash, to where it was before.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which event.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => restorePost(tx, 'event', input, context)),
  }),
  deleteEvent: t.field({
    type: DeletionPayload,
    description: 'Deletes an event for good; for administrators and editors.',
    args: { input: t.arg({ type: RecordInput, required: true, description: 'Which event.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => purgePost(tx, 'event', input, context)),
  }),
}))
