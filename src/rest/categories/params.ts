import { parentNumber } from '../params.ts'
import { termsParams } from '../terms.ts'

export const categoriesParams = {
  ...termsParams('categories'),
  parent: parentNumber.optional().describe('Only categories directly below this one; 0: those at the top.'),
}
