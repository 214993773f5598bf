import type { ReactNode } from 'react'
import type { FieldErrors } from './refusal.ts'
import type { ChangeValues, Values } from './values.ts'

export interface SectionProps {
  readonly values: Values
  readonly errors: FieldErrors
  readonly isDisabled: boolean
  readonly onChange: ChangeValues
}

/** A part of the form with a heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** What is wrong with a part that has several controls. */
export const PartError = ({ error }: { readonly error: ReactNode }) =>
  error ? (
    <p className="field-error" data-invalid tabIndex={-1}>
      {error}
    </p>
  ) : null
