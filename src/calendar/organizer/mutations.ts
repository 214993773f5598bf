import { addPostMutations } from '../lifecycle/record-mutations.ts'
import { Organizer } from './type.ts'
import { CreateOrganizerInput, createOrganizer, UpdateOrganizerInput, updateOrganizer } from './write.ts'

addPostMutations('organizer', {
  type: Organizer,
  createInput: CreateOrganizerInput,
  create: createOrganizer,
  updateInput: UpdateOrganizerInput,
  update: updateOrganizer,
})
