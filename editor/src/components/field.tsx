import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps {
  readonly label: string
  /** A sentence below the label. */
  readonly help?: string | undefined
  /** What is wrong with the value, and what would be right. */
  readonly error?: ReactNode
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

type ControlProps<Tag extends 'input' | 'select' | 'textarea'> = FieldProps & Omit<ComponentProps<Tag>, 'id'>

export function TextField({ label, help, error, isLabelHidden, ...props }: ControlProps<'input'>) {
  return (
    <Field label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      {(control) => <input type="text" {...props} {...control} />}
    </Field>
  )
}

export function TextArea({ label, help, error, isLabelHidden, ...props }: ControlProps<'textarea'>) {
  return (
    <Field label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      {(control) => <textarea {...props} {...control} />}
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

interface RadioGroupProps<Value extends string> {
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly label: string; readonly help?: string | undefined }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** `switch` shows all options in one row, without the label. */
  readonly look?: 'choices' | 'switch'
  readonly disabled?: boolean | undefined
}

/** Few options, of which one is chosen. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
  look = 'choices',
  disabled,
}: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <fieldset className={look} disabled={disabled}>
      <legend className={look === 'switch' ? 'visually-hidden' : undefined}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={look === 'choices' ? 'checkbox' : undefined}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className={look === 'switch' ? 'visually-hidden' : undefined}
          />
          <span>
            {option.label}
            {option.help && <small className="help">{option.help}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
