import type { CombinedError } from '@urql/core'
import type { ReactNode } from 'react'
import { failureText } from '../graphql/errors.ts'
import { useMessages } from '../messages.ts'
import { Button } from './button.tsx'

export function Loading() {
  const { loading } = useMessages()
  return (
    <p className="loading" role="status">
      {loading}
    </p>
  )
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ children }: { readonly children: ReactNode }) {
  return <div className="empty">{children}</div>
}

export function Failure({ error, onRetry }: { readonly error: CombinedError; readonly onRetry: () => void }) {
  const messages = useMessages()
  return (
    <div className="notice error" role="alert">
      <p>{failureText(error, messages)}</p>
      <Button onClick={onRetry}>{messages.errors.retry}</Button>
    </div>
  )
}
