import { addTermMutations } from '../lifecycle/record-mutations.ts'
import { Category } from './type.ts'
import {
  CreateCategoryInput,
  createCategory,
  deleteCategory,
  takeTreeTurn,
  UpdateCategoryInput,
  updateCategory,
} from './write.ts'

addTermMutations('category', {
  type: Category,
  createInput: CreateCategoryInput,
  create: createCategory,
  updateInput: UpdateCategoryInput,
  update: updateCategory,
  deletion: 'Deletes a category for good: its events lose it, its parts move to its parent.',
  beforeDelete: takeTreeTurn,
  remove: deleteCategory,
})
