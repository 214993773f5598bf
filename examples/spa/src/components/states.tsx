import type { CombinedError } from '@urql/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useMessages } from '../languages.ts'
import { Artwork } from './artwork.tsx'

/** The first heading gets the focus after a navigation, so that screen readers announce the new page. */
export function PageHeading({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (navigation.happened) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  )
}

/** Whether the user has navigated inside the app: the first page leaves the focus to the browser. */
const navigation = { happened: false }
addEventListener('pushState', () => {
  navigation.happened = true
})

export function useTitle(title: string | undefined, siteName: string): void {
  useEffect(() => {
    document.title = title ? `${title} – ${siteName}` : siteName
  }, [title, siteName])
}

export function ErrorState({ error, retry }: { readonly error: CombinedError; readonly retry: () => void }) {
  const messages = useMessages()
  return (
    <div className="notice error" role="alert">
      <p>
        <b>{error.networkError ? messages.offline : messages.failed}</b>
      </p>
      {error.graphQLErrors.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
      <button type="button" onClick={retry}>
        {messages.retry}
      </button>
    </div>
  )
}

export function EmptyState({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <div className="empty-picture">
        <Artwork seed={text.length} hue={text.length} columns={3} rows={1} />
      </div>
      <p>{text}</p>
      {children}
    </div>
  )
}

export function NotFound({ siteName }: { readonly siteName: string }) {
  const messages = useMessages()
  useTitle(messages.notFound, siteName)
  return (
    <div className="page narrow">
      <PageHeading>{messages.notFound}</PageHeading>
      <EmptyState text={messages.notFoundText}>
        <Link href="/" className="button">
          {messages.toCalendar}
        </Link>
      </EmptyState>
    </div>
  )
}
