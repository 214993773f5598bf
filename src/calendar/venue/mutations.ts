import { addPostMutations } from '../lifecycle/record-mutations.ts'
import { Venue } from './type.ts'
import { CreateVenueInput, createVenue, UpdateVenueInput, updateVenue } from './write.ts'

addPostMutations('venue', {
  type: Venue,
  createInput: CreateVenueInput,
  create: createVenue,
  updateInput: UpdateVenueInput,
  update: updateVenue,
})
