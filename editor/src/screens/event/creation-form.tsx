import { useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import type { ProblemText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useEventMessages } from './messages/messages.ts'

interface Props<Name extends string> {
  readonly title: string
  readonly fields: readonly { readonly name: Name; readonly label: string }[]
  readonly start: Readonly<Record<Name, string>>
  /** Returns what is wrong. */
  readonly onCreate: (values: Readonly<Record<Name, string>>) => Promise<ProblemText | undefined>
  readonly onCancel: () => void
}

/** A few fields of a record that is created beside the event. It is in the form of the event, so it is none itself. */
export function CreationForm<Name extends string>({ title, fields, start, onCreate, onCancel }: Props<Name>) {
  const messages = useMessages()
  const { add } = useEventMessages()
  const id = useId()
  const [values, setValues] = useState(start)
  const [problem, setProblem] = useState<ProblemText>()
  const [isBusy, setBusy] = useState(false)
  /** Enter may be pressed twice before the next rendering. */
  const isCreating = useRef(false)
  async function create() {
    if (isCreating.current) return
    isCreating.current = true
    setBusy(true)
    setProblem(await onCreate(values))
    isCreating.current = false
    setBusy(false)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the heading labels the group.
    <div className="creation" role="group" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {fields.map(({ name, label }, index) => (
        <TextField
          key={name}
          label={label}
          value={values[name]}
          autoFocus={index === 0}
          error={index === 0 ? problem : undefined}
          onChange={({ target }) => setValues({ ...values, [name]: target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            void create()
          }}
        />
      ))}
      <div className="actions">
        <Button disabled={isBusy} onClick={create}>
          {add}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {messages.cancel}
        </Button>
      </div>
    </div>
  )
}
