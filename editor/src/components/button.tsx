import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'button'> {
  /** `primary` for the one that people most probably want, `quiet` for those beside it. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  /** What it acts on, for screen readers: the buttons of a list have the same text. */
  readonly about?: string
}

export function Button({ look = 'plain', about, className = '', children, ...props }: Props) {
  return (
    <button type="button" className={`button ${look} ${className}`} {...props}>
      {children}
      {about && <span className="visually-hidden"> {about}</span>}
    </button>
  )
}
