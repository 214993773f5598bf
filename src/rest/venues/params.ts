import { linkedParams } from '../linked.ts'

export const venuesParams = linkedParams('venues')
