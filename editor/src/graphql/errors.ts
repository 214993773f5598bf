import type { CombinedError } from '@urql/core'
import { createElement, type ReactElement } from 'react'
import type { UserErrorPartsFragment } from '../gql/graphql.ts'
import type { Messages } from '../messages.ts'
import { isSignedOut } from './client.ts'

/** A sentence in the language of the interface, or one of the service, which is in English and marked as such. */
export type ProblemText = string | ReactElement

/** What a mutation rejected, in words. Undefined if nothing is wrong. */
export function problemOf(
  userErrors: readonly UserErrorPartsFragment[] | undefined,
  error: CombinedError | undefined,
  messages: Messages,
): ProblemText | undefined {
  if (error) return failureText(error, messages)
  const [first] = userErrors ?? []
  return first && userErrorText(first, messages)
}

/** Says why a request failed. */
export function failureText(error: CombinedError, messages: Messages): ProblemText {
  const { errors } = messages
  if (error.networkError) return errors.network
  if (isSignedOut(error)) return errors.UNAUTHENTICATED
  const [first] = error.graphQLErrors
  const { code, fields } = first?.extensions ?? {}
  const [field] = Object.keys(fields ?? {})
  return textOf(String(code), field, messages) ?? inEnglish(first?.message ?? error.message)
}

/** Says what would be right. */
export const userErrorText = ({ code, path, message }: UserErrorPartsFragment, messages: Messages): ProblemText =>
  textOf(code, path.findLast(isName), messages) ?? inEnglish(message)

/** Not the index of a list. */
const isName = (part: string) => !/^\d+$/.test(part)

function textOf(code: string, field: string | undefined, { errors, wrongValues }: Messages): string | undefined {
  if (code === 'BAD_INPUT') return field === undefined ? undefined : textIn(wrongValues, field)
  return textIn(errors, code)
}

const textIn = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined

const inEnglish = (message: string) => createElement('span', { lang: 'en' }, message)
