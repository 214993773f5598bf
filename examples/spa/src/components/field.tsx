import { type ReactNode, useId } from 'react'
import { graphql } from '../gql/gql.ts'
import type { UserErrorPartsFragment } from '../gql/graphql.ts'

export const userErrorParts = graphql(`
  fragment UserErrorParts on UserError {
    code
    path
    message
    modifiedAt
  }
`)

interface ControlProps {
  readonly id: string
  readonly name: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface Props {
  /** Name of the input field in GraphQL, by which errors are found. */
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly errors?: readonly UserErrorPartsFragment[] | undefined
  readonly children: (props: ControlProps) => ReactNode
}

/** Errors of an input field: the first part of their path that is no index is the name of the field. */
export const errorsOf = (name: string, errors: readonly UserErrorPartsFragment[] | undefined) =>
  (errors ?? []).filter(({ path }) => fieldOf(path) === name)

/** Values inside of lists, such as translations, have paths like translations.0.name. */
export const fieldOf = (path: readonly string[]): string | undefined => (path[0] === 'translations' ? path[2] : path[0])

/** A label, its control, a hint and the errors that the service returned for this value. */
export function Field({ name, label, help, errors, children }: Props) {
  const id = useId()
  const own = errorsOf(name, errors)
  const described = [help && `${id}-help`, own.length > 0 && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={own.length > 0 ? 'field invalid' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children({
        ...{ id, name },
        'aria-describedby': described || undefined,
        'aria-invalid': own.length > 0 ? true : undefined,
      })}
      {help && (
        <p id={`${id}-help`} className="help">
          {help}
        </p>
      )}
      {own.length > 0 && (
        <p id={`${id}-error`} className="field-error">
          {own.map(({ message }) => message).join(' ')}
        </p>
      )}
    </div>
  )
}
