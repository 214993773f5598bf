import type { ComponentProps, MouseEvent } from 'react'

interface Props extends ComponentProps<'button'> {
  /** `primary` for the one that people most probably want, `quiet` for those beside it. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  /** What it acts on, for screen readers: the buttons of a list have the same text. */
  readonly about?: string
}

/** A disabled button keeps the focus, which browsers take from one with the attribute `disabled`: while it saves, for example. */
export function Button({ look = 'plain', about, className = '', disabled, onClick, children, ...props }: Props) {
  // Enter in a field of a form clicks its button.
  const refuse = (event: MouseEvent) => event.preventDefault()
  return (
    <button
      type="button"
      className={`button ${look} ${className}`}
      aria-disabled={disabled || undefined}
      onClick={disabled ? refuse : onClick}
      {...props}
    >
      {children}
      {about && <span className="visually-hidden"> {about}</span>}
    </button>
  )
}
