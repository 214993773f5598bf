import { addTermMutations } from '../lifecycle/record-mutations.ts'
import { Category } from './type.ts'
import {
  CreateCategoryInput,
  createCategory,
  deleteCategory,
  lockCategoryTree,
  UpdateCategoryInput,
  updateCategory,
} from './write.ts'

addTermMutations('category', {
  type: Category,
  createInput: CreateCategoryInput,
  create: createCategory,
  updateInput: UpdateCategoryInput,
  update: updateCategory,
  deletion: 'Deletes a category permanently. It is removed from its events, and its children move to its parent.',
  beforeDelete: lockCategoryTree,
  remove: deleteCategory,
})
