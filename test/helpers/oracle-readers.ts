// Which records a reader may see, and whose fields are withheld (contract c.10, c.15).
import type { Status } from '../../src/generated/prisma/enums.ts'
import { now } from './app.ts'
import type { EventFacts, OwnTexts, PostFacts, Reader } from './oracle-facts.ts'
import { type Role, roles } from './permissions.ts'

const atLeast = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least)

const isWriter = ({ role }: Reader) => atLeast(role, 'contributor')
export const editsOthers = ({ role }: Reader) => atLeast(role, 'editor')

/** A scheduled record is published at its publication date. */
export function statusOf({ status, publishedAt }: PostFacts): Status {
  if (status !== 'publish' && status !== 'future') return status
  return publishedAt <= now.getTime() ? 'publish' : 'future'
}

export const mayRead = (post: PostFacts, reader: Reader): boolean =>
  statusOf(post) === 'publish' || post.author === reader.role || editsOthers(reader)

const isWritten = (texts: OwnTexts, { language, fallback }: Reader) => fallback || texts.has(language)

/** Without a status filter, all but trashed records. */
export function isListed(post: PostFacts, status: readonly Status[] | undefined, reader: Reader): boolean {
  const expectedValue = status ? status.includes(statusOf(post)) : post.status !== 'trash'
  return expectedValue && mayRead(post, reader) && isWritten(post.texts, reader)
}

export const isTermListed = ({ texts }: { readonly texts: OwnTexts }, reader: Reader) => isWritten(texts, reader)

/** Whether the reader may see the lockable fields. */
export const isOpen = ({ locked }: PostFacts, { opens }: Reader) => !locked || opens

/** Visitors and subscribers may only filter by the status `publish` (contract e.4). */
export const mayFilterByStatus = (status: readonly Status[] | undefined, reader: Reader): boolean =>
  status === undefined || isWriter(reader) || status.every((name) => name === 'publish')

/**
 * Whether linked records show the event. Its links are lockable fields, and trashed or hidden events are not shown.
 */
export const showsLinks = (event: EventFacts, reader: Reader): boolean =>
  mayRead(event, reader) && isOpen(event, reader) && event.status !== 'trash' && !event.hidden
