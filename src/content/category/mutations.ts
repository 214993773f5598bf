import { builder } from '../../graphql/builder.ts'
import { deletedId, mutate, type Outcome, userErrorsField, writtenRecord } from '../mutation.ts'
import { lockTerm, requireTermRights, TermInput } from '../term.ts'
import { deleteTerm, type TermDeletion } from '../term-deletion.ts'
import { Category } from './type.ts'
import {
  CreateCategoryInput,
  createCategory,
  deleteCategory,
  takeTreeTurn,
  UpdateCategoryInput,
  updateCategory,
} from './write.ts'

const CategoryPayload = builder.objectRef<Outcome>('CategoryPayload').implement({
  description: 'What became of a category.',
  fields: (t) => ({
    category: t.field({
      type: Category,
      nullable: true,
      description: 'As it is now; null when nothing was written.',
      resolve: writtenRecord<typeof Category.$inferType>('category'),
    }),
    userErrors: t.field(userErrorsField),
  }),
})

const CategoryDeletionPayload = builder
  .objectRef<TermDeletion<typeof Category.$inferType>>('CategoryDeletionPayload')
  .implement({
    description: 'What became of the deletion of a category.',
    fields: (t) => ({
      databaseId: t.int(deletedId),
      category: t.field({
        type: Category,
        nullable: true,
        description: 'As it was; null when nothing was deleted.',
        resolve: ({ before }) => before,
      }),
      userErrors: t.field(userErrorsField),
    }),
  })

builder.mutationFields((t) => ({
  createCategory: t.field({
    type: CategoryPayload,
    description: 'Creates a category, in the language of the operation.',
    args: { input: t.arg({ type: CreateCategoryInput, required: true, description: 'What to write.' }) },
    resolve: (_root, { input }, context) =>
      mutate(context, input, (tx) => {
        requireTermRights('category', context)
        return createCategory(tx, input, context)
      }),
  }),
  updateCategory: t.field({
    type: CategoryPayload,
    description: 'Changes a category: what is not given stays. Text is written in the language of the operation.',
    args: { input: t.arg({ type: UpdateCategoryInput, required: true, description: 'What to change.' }) },
    resolve: (_root, { input }, context) => mutate(context, input, (tx) => updateCategory(tx, input, context)),
  }),
  deleteCategory: t.field({
    type: CategoryDeletionPayload,
    description: 'Deletes a category for good: its events lose it, its parts move to its parent.',
    args: { input: t.arg({ type: TermInput, required: true, description: 'Which category.' }) },
    resolve: (_root, { input }, context, info) =>
      deleteTerm<typeof Category.$inferType>('category', { input, context, info }, async (tx) => {
        await takeTreeTurn(tx)
        const { id } = await lockTerm(tx, 'category', input.id, context)
        requireTermRights('category', context)
        await deleteCategory(tx, id)
        return id
      }),
  }),
}))
