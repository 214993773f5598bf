import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useMessages } from '../messages.ts'
import { Button } from './button.tsx'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A modal dialog. The browser keeps the focus in it, closes it by Escape, and gives the focus back. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { close } = useMessages()
  // Before the element leaves the document: then the browser gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  // Outside of the form that opens it: Enter in a field of the dialog does not send that form.
  return createPortal(
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        // Events of fields in the dialog bubble in React.
        if (event.target !== event.currentTarget) return
        // The caller decides whether the dialog closes.
        event.preventDefault()
        onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button look="quiet" onClick={onClose}>
          {close}
        </Button>
      </div>
      {children}
    </dialog>,
    document.body,
  )
}

interface ConfirmProps extends Omit<Props, 'children'>, Partial<Pick<Props, 'children'>> {
  /** What will happen. */
  readonly text: string
  /** The verb on the button. */
  readonly action: string
  readonly onConfirm: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, text, action, onClose, onConfirm, children }: ConfirmProps) {
  const { cancel } = useMessages()
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {children}
      <div className="actions">
        <Button look="danger" onClick={onConfirm}>
          {action}
        </Button>
        <Button onClick={onClose}>{cancel}</Button>
      </div>
    </Dialog>
  )
}
