import { type ReactNode, useEffect, useId, useRef } from 'react'
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
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        // Events of fields in the dialog bubble in React.
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button look="quiet" onClick={onClose}>
          {close}
        </Button>
      </div>
      {children}
    </dialog>
  )
}
