import { addPostMutations } from '../lifecycle/record-mutations.ts'
import { CreateEventInput, UpdateEventInput } from './inputs.ts'
import { Event } from './type.ts'
import { createEvent, updateEvent } from './write.ts'

addPostMutations('event', {
  type: Event,
  createInput: CreateEventInput,
  create: createEvent,
  updateInput: UpdateEventInput,
  update: updateEvent,
})
