import { useState } from 'react'
import { useMessages } from '../messages.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'

interface Props {
  readonly label: string
  readonly help: string
  readonly value: string
}

/** A secret that the service shows once, to copy. */
export function Secret({ label, help, value }: Props) {
  const { copy, copied } = useMessages()
  const [isCopied, setCopied] = useState(false)
  return (
    <div className="secret">
      <TextField
        label={label}
        help={help}
        value={value}
        readOnly
        autoComplete="off"
        spellCheck={false}
        onFocus={({ target }) => target.select()}
      />
      <div className="actions">
        {/* Without TLS, browsers have no clipboard: then people copy the text of the field. */}
        {navigator.clipboard && (
          <Button onClick={() => navigator.clipboard.writeText(value).then(() => setCopied(true))}>{copy}</Button>
        )}
        <span role="status">{isCopied && copied}</span>
      </div>
    </div>
  )
}
