// Large: load it with the screen that needs it, not with the first one.
import { useEffect, useState } from 'react'
import {
  ComboBox as AriaComboBox,
  Button,
  Input,
  type Key,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components'
import { useMessages } from '../messages.ts'

export interface Option {
  readonly id: string
  readonly name: string
  /** What tells options of the same name apart, such as the city of a venue. */
  readonly detail?: string | null | undefined
}

interface Props {
  readonly label: string
  readonly placeholder?: string
  readonly help?: string
  readonly options: readonly Option[]
  /** What is in the field; the options are those that match it. */
  readonly text: string
  readonly onType: (text: string) => void
  readonly onChoose: (option: Option) => void
  /** Keeps a text that is no option, for example to create a record of this name. */
  readonly allowsOwnText?: boolean
  /** Options are on their way: the list opens without waiting for them. */
  readonly isLoading?: boolean
}

/** A field with suggestions, of which the arrow keys choose one. */
export function ComboBox({
  label,
  placeholder,
  help,
  options,
  text,
  onType,
  onChoose,
  allowsOwnText = false,
  isLoading = false,
}: Props) {
  const { suggestions } = useMessages()
  // The list closes when the chosen key changes. Then nothing is chosen again, so that the next choice can be the same.
  const [chosen, setChosen] = useState<Key | null>(null)
  useEffect(() => {
    if (chosen !== null) setChosen(null)
  }, [chosen])
  return (
    <AriaComboBox
      className="field combo"
      items={options}
      inputValue={text}
      onInputChange={onType}
      selectedKey={chosen}
      onSelectionChange={(key) => {
        const option = options.find(({ id }) => id === key)
        if (!option) return
        setChosen(key)
        onChoose(option)
      }}
      allowsCustomValue={allowsOwnText}
      allowsEmptyCollection={isLoading}
      // An empty field stays closed, also after an option was chosen: an open list hides the rest of the screen from screen
      // readers. The arrow keys and the button open it.
      menuTrigger={text === '' ? 'manual' : 'input'}
    >
      <Label>{label}</Label>
      <div className="combo-input">
        <Input placeholder={placeholder ?? ''} />
        <Button aria-label={suggestions} className="combo-button">
          <span aria-hidden="true">▾</span>
        </Button>
      </div>
      {help && (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <Popover className="popover">
        <ListBox<Option>>
          {({ id, name, detail }) => (
            <ListBoxItem id={id} textValue={name} className="option">
              <Text slot="label">{name}</Text>
              {detail && (
                <Text slot="description" className="soft">
                  {detail}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  )
}
