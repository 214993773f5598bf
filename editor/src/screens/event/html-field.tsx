import { lazy, Suspense, useState } from 'react'
import { Loading } from '../../components/states.tsx'
import type { ProblemText } from '../../graphql/errors.ts'
import './event.css'

const RichText = lazy(() => import('./rich-text.tsx').then(({ RichText }) => ({ default: RichText })))

interface Props {
  readonly name: string
  readonly label: string
  readonly lang: string
  /** HTML. */
  readonly defaultValue: string
  readonly error?: ProblemText | undefined
  readonly disabled: boolean
  readonly onChange: () => void
}

/** A formatted text in a form whose values are read when it is sent. */
export function HtmlField({ defaultValue, disabled, error, onChange, ...props }: Props) {
  const [html, setHtml] = useState(defaultValue)
  return (
    <Suspense fallback={<Loading />}>
      <input type="hidden" name={props.name} value={html} />
      <RichText
        {...props}
        value={html}
        onChange={(text) => {
          setHtml(text)
          onChange()
        }}
        error={error}
        isDisabled={disabled}
      />
    </Suspense>
  )
}
