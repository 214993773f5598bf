import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Select } from '../../components/field.tsx'
import { useCategories } from '../../graphql/use-categories.ts'
import { useMessages } from '../../messages.ts'

interface Props {
  readonly onClose: () => void
  readonly onChoose: (id: string) => void
}

export function CategoryDialog({ onClose, onChoose }: Props) {
  const messages = useMessages()
  const { events: texts } = messages
  const categories = useCategories() ?? []
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? categories[0]?.id
  return (
    <Dialog title={texts.categoryTitle} onClose={onClose}>
      <Select label={texts.category} value={id} onChange={({ target }) => setChosen(target.value)}>
        {categories.map((category) => (
          <option key={category.id} value={category.id}>
            {category.name}
          </option>
        ))}
      </Select>
      <div className="actions">
        <Button look="primary" disabled={id === undefined} onClick={() => id && onChoose(id)}>
          {texts.add}
        </Button>
        <Button onClick={onClose}>{messages.cancel}</Button>
      </div>
    </Dialog>
  )
}
