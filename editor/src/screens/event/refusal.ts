import { failureText, type ProblemText, userErrorText } from '../../graphql/errors.ts'
import type { Messages } from '../../messages.ts'
import { fieldOfPath } from './input.ts'
import type { Refused } from './requests.ts'
import type { FieldName } from './values.ts'

export type FieldErrors = Readonly<Partial<Record<FieldName, ProblemText>>>

interface Refusal {
  readonly errors: FieldErrors
  /** What belongs to no field. */
  readonly problem?: ProblemText
}

/** Says why the service did not save the form: at the fields where that is possible. */
export function readRefusal({ error, userErrors, input, language }: Refused, messages: Messages): Refusal {
  const errors: Partial<Record<FieldName, ProblemText>> = {}
  const others: ProblemText[] = []
  for (const userError of userErrors) {
    const field = fieldOfPath(userError.path, input, language)
    const text = userErrorText(userError, messages)
    if (field) errors[field] ??= text
    else others.push(text)
  }
  const problem = error ? failureText(error, messages) : others[0]
  return { errors, ...(problem !== undefined && { problem }) }
}
