import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps {
  readonly label: string
  /** A sentence below the label. */
  readonly help?: string | undefined
  /** What is wrong with the value, and what would be right. */
  readonly error?: string | undefined
  /** The label is read by screen readers only. */
  readonly isLabelHidden?: boolean | undefined
}

interface FrameProps extends FieldProps {
  readonly children: (control: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': true | undefined
  }) => ReactNode
}

/** A label, a control, a help text and an error that belong together. */
function Field({ label, help, error, isLabelHidden = false, children }: FrameProps) {
  const id = useId()
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

type ControlProps<Tag extends 'input' | 'select'> = FieldProps & Omit<ComponentProps<Tag>, 'id'>

export function TextField({ label, help, error, isLabelHidden, ...props }: ControlProps<'input'>) {
  return (
    <Field label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      {(control) => <input type="text" {...props} {...control} />}
    </Field>
  )
}

/** A list to choose one from; the options are its children. */
export function Select({ label, help, error, isLabelHidden, ...props }: ControlProps<'select'>) {
  return (
    <Field label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      {(control) => <select {...props} {...control} />}
    </Field>
  )
}

export function Checkbox({ label, ...props }: { readonly label: string } & Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <label className="checkbox">
      <input type="checkbox" {...props} />
      <span>{label}</span>
    </label>
  )
}
