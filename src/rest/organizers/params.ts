import { linkedParams } from '../linked.ts'

export const organizersParams = linkedParams('organizers')
