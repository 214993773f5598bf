import { termsParams } from '../terms.ts'

export const tagsParams = termsParams('tags')
