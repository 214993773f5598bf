import { addTermMutations } from '../lifecycle/record-mutations.ts'
import { Tag } from './type.ts'
import { CreateTagInput, createTag, UpdateTagInput, updateTag } from './write.ts'

addTermMutations('tag', {
  type: Tag,
  createInput: CreateTagInput,
  create: createTag,
  updateInput: UpdateTagInput,
  update: updateTag,
  deletion: 'Deletes a tag for good: its events lose it.',
  remove: (tx, id) => tx.tag.delete({ where: { id } }),
})
