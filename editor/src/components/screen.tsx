import { type ReactNode, useEffect, useRef } from 'react'
import { useSession } from '../session.tsx'

interface Props {
  readonly title: string
  /** Buttons and links beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

let isFirst = true

/** A screen with its heading. When another screen opens, the focus moves to the heading, which screen readers then read. */
export function Screen({ title, actions, children }: Props) {
  const { site } = useSession()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${site.name}`
  }, [title, site.name])
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <>
      <div className="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}
