import type { CombinedError } from '@urql/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { UserErrorPartsFragment } from '../gql/graphql.ts'
import { useMessages } from '../languages.ts'
import { fieldOf } from './field.tsx'

/** What a mutation rejected: values of the input, or the request as a whole. */
export interface Problems {
  readonly errors: readonly UserErrorPartsFragment[]
  readonly failure?: CombinedError | undefined
}

export const noProblems: Problems = { errors: [] }

/** User errors of a payload, and wrong values of variables: both have the path of the value in the input. */
export function problemsOf(
  userErrors: readonly UserErrorPartsFragment[] | undefined,
  error: CombinedError | undefined,
): Problems {
  const wrongValues = (error?.graphQLErrors ?? []).flatMap(({ message, extensions: { code, path } }) =>
    code === 'BAD_INPUT' && Array.isArray(path)
      ? [
          {
            __typename: 'UserError' as const,
            code: 'BAD_INPUT' as const,
            path: path.map(String),
            message,
            modifiedAt: null,
          },
        ]
      : [],
  )
  const isExplained = wrongValues.length > 0 && wrongValues.length === error?.graphQLErrors.length
  return { errors: [...(userErrors ?? []), ...wrongValues], failure: isExplained ? undefined : error }
}

interface Props {
  readonly problems: Problems
  readonly onSubmit: (data: FormData, action: string | undefined) => void
  readonly children: ReactNode
}

/** A form whose values the service checks. After a rejection the focus moves to the first wrong field. */
export function Form({ problems, onSubmit, children }: Props) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problems.errors.length === 0 && !problems.failure) return
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
    const target = find('[aria-invalid="true"]') ?? find('[role="alert"]')
    target?.focus()
  }, [problems])
  return (
    <form
      ref={form}
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const { submitter } = event.nativeEvent as SubmitEvent
        onSubmit(new FormData(event.currentTarget), submitter?.getAttribute('value') ?? undefined)
      }}
    >
      <ProblemSummary problems={problems} form={form} />
      {children}
    </form>
  )
}

function ProblemSummary({
  problems: { errors, failure },
  form,
}: Pick<Props, 'problems'> & { readonly form: { readonly current: HTMLFormElement | null } }) {
  const { form: texts } = useMessages()
  // Errors of values that have no control in this form stay visible here.
  const other = errors.filter(({ path }) => !form.current?.querySelector(`[name="${CSS.escape(fieldOf(path) ?? '')}"]`))
  if (errors.length === 0 && !failure) return null
  return (
    <div className="notice error" role="alert" tabIndex={-1}>
      <p>
        <b>{failure ? texts.failed : texts.problems(errors.length)}</b>
      </p>
      {failure?.graphQLErrors.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      {other.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  )
}
