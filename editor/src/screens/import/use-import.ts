import { useState } from 'react'
import { useClient } from 'urql'
import { ImportEventDocument, type LanguageCode } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import type { Draft } from './draft.ts'
import { useImportMessages } from './messages/messages.ts'

export interface Progress {
  readonly total: number
  readonly created: number
  readonly failures: readonly { readonly draft: Draft; readonly problem: ProblemText }[]
}

/** How many rows are sent at once. */
const batchSize = 5

/** Creates a draft for each row, a batch at a time, and says how far it is. */
export function useImport() {
  const client = useClient()
  const messages = useMessages()
  const { exists } = useImportMessages()
  const [progress, setProgress] = useState<Progress>()

  async function create(draft: Draft, language: LanguageCode): Promise<ProblemText | undefined> {
    const { data, error } = await client.mutation(ImportEventDocument, { input: draft.input, language })
    const response: Response | undefined = error?.response
    if (response?.status === 429) {
      // The service says for how many seconds a client that has sent a lot has to wait.
      const seconds = Number(response.headers.get('retry-after') ?? 60)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      return create(draft, language)
    }
    const userErrors = data?.createEvent?.userErrors
    const isKnown = userErrors?.some(({ code, path }) => code === 'CONFLICT' && path[0] === 'uid')
    return isKnown ? exists : problemOf(userErrors, error, messages)
  }

  async function start(drafts: readonly Draft[], language: LanguageCode) {
    let state: Progress = { total: drafts.length, created: 0, failures: [] }
    setProgress(state)
    for (let from = 0; from < drafts.length; from += batchSize) {
      const batch = drafts.slice(from, from + batchSize)
      const problems = await Promise.all(batch.map((draft) => create(draft, language)))
      const failures = batch.flatMap((draft, index) => {
        const problem = problems[index]
        return problem === undefined ? [] : [{ draft, problem }]
      })
      const created = state.created + batch.length - failures.length
      state = { ...state, created, failures: [...state.failures, ...failures] }
      setProgress(state)
    }
  }

  return { progress, start }
}
