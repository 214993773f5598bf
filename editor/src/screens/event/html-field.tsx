import { useState } from 'react'
import type { RichTextProps } from './rich-text.tsx'
import { RichTextField } from './rich-text-field.tsx'

interface Props extends Omit<RichTextProps, 'value' | 'onChange'> {
  /** HTML. */
  readonly defaultValue: string
  readonly onChange: () => void
}

/** A formatted text in a form whose values are read when it is sent. */
export function HtmlField({ defaultValue, onChange, ...props }: Props) {
  const [html, setHtml] = useState(defaultValue)
  return (
    <>
      {/* Not inside the field: the form may be sent before the editor is loaded. */}
      <input type="hidden" name={props.name} value={html} />
      <RichTextField
        {...props}
        value={html}
        onChange={(text) => {
          setHtml(text)
          onChange()
        }}
      />
    </>
  )
}
