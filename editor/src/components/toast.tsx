import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { useMessages } from '../messages.ts'
import { Button } from './button.tsx'

interface Toast {
  readonly text: ReactNode
  readonly details?: readonly string[]
  readonly isError?: boolean
  readonly undo?: () => void
}

const ToastContext = createContext<(toast: Toast) => void>(() => {})

/** Returns a function that says what happened. The message stays until the next one, so that nobody has to be quick. */
export const useToast = (): ((toast: Toast) => void) => useContext(ToastContext)

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const messages = useMessages()
  const [toast, setToast] = useState<Toast>()
  const show = useCallback((next: Toast) => setToast(next), [])
  const hide = () => setToast(undefined)
  return (
    <ToastContext value={show}>
      {children}
      {/* The region exists before its text, which screen readers therefore read. */}
      <div className="toasts" role="status">
        {toast && (
          <div className={toast.isError ? 'toast error' : 'toast'}>
            <div>
              <p>{toast.text}</p>
              {toast.details?.map((detail) => (
                <p key={detail}>{detail}</p>
              ))}
            </div>
            {toast.undo && (
              <Button
                onClick={() => {
                  hide()
                  toast.undo?.()
                }}
              >
                {messages.undo}
              </Button>
            )}
            <Button look="quiet" onClick={hide}>
              {messages.close}
            </Button>
          </div>
        )}
      </div>
    </ToastContext>
  )
}
