import { builder } from '../../graphql/builder.ts'
import { deletedId, mutate, type Outcome, userErrorsField, writtenRecord } from '../mutation.ts'
import { lockTerm, requireTermRights, TermInput } from '../term.ts'
import { deleteTerm, type TermDeletion } from '../term-deletion.ts'
import { Tag } from './type.ts'
import { CreateTagInput, createTag, UpdateTagInput, updateTag } from './write.ts'

const TagPayload = builder.objectRef<Outcome>('TagPayload').implement({
  description: 'What became of a tag.',
  fields: (t) => ({
    tag: t.field({
      type: Tag,
      nullable: true,
      description: 'As it is now; null when nothing was written.',
      resolve: writtenRecord<typeof Tag.$inferType>('tag'),
    }),
    userErrors: t.field(userErrorsField),
  }),
})

const TagDeletionPayload = builder.objectRef<TermDeletion<typeof Tag.$inferType>>('TagDeletionPayload').implement({
  description: 'What became of the deletion of a tag.',
  fields: (t) => ({
    databaseId: t.int(deletedId),
    tag: t.field({
      type: Tag,
      nullable: true,
      description: 'As it was; null when nothing was deleted.',
      resolve: ({ before }) => before,
    }),
    userErrors: t.field(userErrorsField),
  }),
})

builder.mutationFields((t) => ({
  createTag: t.field({
    type: TagPayload,
    description: 'Creates a tag, in the language of the operation.',
    args: { input: t.arg({ type: CreateTagInput, required: true, description: 'What to write.' }) },
    resolve: (_root, { input }, context) =>
      mutate(context, input, (tx) => {
        requireTermRights('tag', context)
        return createTag(tx, input, context)
      }),
  }),
  updateTag: t.field({
    type: TagPayload,
    description: 'Changes a tag: what is not given stays. Text is written in the language of the operation.',
    args: { input: t.arg({ type: UpdateTagInput, required: true, description: 'What to change.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => updateTag(tx, input, context)),
  }),
  deleteTag: t.field({
    type: TagDeletionPayload,
    description: 'Deletes a tag for good: its events lose it.',
    args: { input: t.arg({ type: TermInput, required: true, description: 'Which tag.' }) },
    resolve: (_root, { input }, context, info) =>
      deleteTerm<typeof Tag.$inferType>('tag', { input, context, info }, async (tx) => {
        const { id } = await lockTerm(tx, 'tag', input.id, context)
        requireTermRights('tag', context)
        await tx.tag.delete({ where: { id } })
        return id
      }),
  }),
}))
