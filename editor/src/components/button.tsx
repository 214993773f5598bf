import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'button'> {
  /** `primary` for the one that people most probably want, `quiet` for those beside it. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
}

export function Button({ look = 'plain', className = '', ...props }: Props) {
  return <button type="button" className={`button ${look} ${className}`} {...props} />
}
