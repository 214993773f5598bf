import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextArea } from '../../components/field.tsx'
import type { ProblemText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useQueueMessages } from './messages/messages.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  /** Returns what is wrong. */
  readonly onReturn: (message: string) => Promise<ProblemText | undefined>
}

/** Asks for a message to the author, which may be empty. */
export function ReturnDialog({ title, onClose, onReturn }: Props) {
  const { cancel } = useMessages()
  const texts = useQueueMessages()
  const [message, setMessage] = useState('')
  const [problem, setProblem] = useState<ProblemText>()
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog title={texts.returnTitle(title)} onClose={onClose}>
      <form
        className="stack"
        onSubmit={async (event: FormEvent) => {
          event.preventDefault()
          setBusy(true)
          setProblem(await onReturn(message))
          setBusy(false)
        }}
      >
        <TextArea
          label={texts.returnMessage}
          help={texts.returnHelp}
          error={problem}
          value={message}
          maxLength={2000}
          rows={5}
          onChange={({ target }) => setMessage(target.value)}
        />
        <div className="actions">
          <Button type="submit" look="primary" disabled={isBusy}>
            {texts.back}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}
