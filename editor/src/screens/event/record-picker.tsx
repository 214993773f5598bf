import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ComboBox, type Option } from '../../components/combo-box.tsx'
import { useEventMessages } from './messages/messages.ts'
import { PartError } from './section.tsx'
import type { Choice } from './values.ts'

interface Props {
  readonly label: string
  /** Name of the list of those that were chosen. */
  readonly listLabel: string
  readonly help?: string
  readonly chosen: readonly Choice[]
  readonly options: readonly Option[]
  /** The options for the text are on their way. */
  readonly isLoading: boolean
  readonly error: ReactNode
  readonly isDisabled: boolean
  readonly onSearch: (text: string) => void
  /** Gets what is chosen by then: something else may be chosen while a record is created. */
  readonly onChange: (change: (chosen: readonly Choice[]) => readonly Choice[]) => void
  /** Fields of a record that does not exist yet. Undefined if the user may not create one. */
  readonly creation?: ((name: string, done: (created: Choice | undefined) => void) => ReactNode) | undefined
}

const creationId = 'create'

/** Chosen records, and a field with suggestions that adds others. */
export function RecordPicker(props: Props) {
  const { label, listLabel, help, chosen, options, isLoading, error, isDisabled, onSearch, onChange, creation } = props
  const { place: texts, remove } = useEventMessages()
  const [text, setText] = useState('')
  const [created, setCreated] = useState<string>()
  const name = text.trim()
  const others = options.filter(({ id }) => !chosen.some((each) => each.id === id))
  const isNew = name !== '' && !options.some((option) => option.name.toLowerCase() === name.toLowerCase())
  const type = (next: string) => {
    setText(next)
    onSearch(next)
  }
  return (
    <div className="stack">
      {chosen.length > 0 && (
        <ul className="chosen" aria-label={listLabel}>
          {chosen.map((record) => (
            <li key={record.id}>
              <span>
                {record.name}
                {record.detail && <span className="soft"> {record.detail}</span>}
              </span>
              <Button
                look="quiet"
                disabled={isDisabled}
                aria-label={remove(record.name)}
                onClick={() => onChange((chosen) => chosen.filter(({ id }) => id !== record.id))}
              >
                ✕
              </Button>
            </li>
          ))}
        </ul>
      )}
      {!isDisabled && created === undefined && (
        <ComboBox
          label={label}
          {...(help && { help })}
          options={[...others, ...(creation && isNew ? [{ id: creationId, name: texts.create(name) }] : [])]}
          text={text}
          onType={type}
          onChoose={(option) => {
            type('')
            if (option.id === creationId) setCreated(name)
            else onChange(withChoice({ id: option.id, name: option.name, detail: option.detail ?? null }))
          }}
          allowsOwnText
          isLoading={isLoading}
        />
      )}
      {created !== undefined &&
        creation?.(created, (record) => {
          setCreated(undefined)
          if (record) onChange(withChoice(record))
        })}
      <PartError error={error} />
    </div>
  )
}

const withChoice = (record: Choice) => (chosen: readonly Choice[]) =>
  chosen.some(({ id }) => id === record.id) ? chosen : [...chosen, record]
