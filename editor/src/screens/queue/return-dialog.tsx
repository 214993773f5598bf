import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextArea } from '../../components/field.tsx'
import { useMessages } from '../../messages.ts'
import { useQueueMessages } from './messages/messages.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly onReturn: (message: string) => void
}

/** Asks for a message to the author, which may be empty. */
export function ReturnDialog({ title, onClose, onReturn }: Props) {
  const { cancel } = useMessages()
  const texts = useQueueMessages()
  const [message, setMessage] = useState('')
  return (
    <Dialog title={texts.returnTitle(title)} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          onReturn(message)
        }}
      >
        <TextArea
          label={texts.returnMessage}
          help={texts.returnHelp}
          value={message}
          maxLength={2000}
          rows={5}
          onChange={({ target }) => setMessage(target.value)}
        />
        <div className="actions">
          <Button type="submit" look="primary">
            {texts.back}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
