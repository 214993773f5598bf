import { addTermMutations } from '../lifecycle/record-mutations.ts'
import { Tag } from './type.ts'
import { CreateTagInput, createTag, UpdateTagInput, updateTag } from './write.ts'

addTermMutations('tag', {
  type: Tag,
  createInput: CreateTagInput,
  create: createTag,
  updateInput: UpdateTagInput,
  update: updateTag,
  deletion: 'Deletes a tag permanently. It is removed from its events.',
  remove: (tx, id) => tx.tag.delete({ where: { id } }),
})
