// Contract c.10 and c.15: who reads which record, and whose details are withheld.
import type { Status } from '../../src/generated/prisma/enums.ts'
import { now } from './app.ts'
import type { EventFacts, OwnTexts, PostFacts, Reader } from './oracle-facts.ts'
import { type Role, roles } from './permissions.ts'

const atLeast = (role: Role, least: Role) => roles.indexOf(role) >= roles.indexOf(least)

const isWriter = ({ role }: Reader) => atLeast(role, 'contributor')
export const editsOthers = ({ role }: Reader) => atLeast(role, 'editor')

/** A scheduled record is published by itself once its moment has come, and none is before. */
export function statusOf({ status, publishedAt }: PostFacts): Status {
  if (status !== 'publish' && status !== 'future') return status
  return publishedAt <= now.getTime() ? 'publish' : 'future'
}

export const mayRead = (post: PostFacts, reader: Reader): boolean =>
  statusOf(post) === 'publish' || post.author === reader.role || editsOthers(reader)

const isWritten = (texts: OwnTexts, { language, fallback }: Reader) => fallback || texts.has(language)

/** Without `status` all but the trash. */
export function isListed(post: PostFacts, status: readonly Status[] | undefined, reader: Reader): boolean {
  const wanted = status ? status.includes(statusOf(post)) : post.status !== 'trash'
  return wanted && mayRead(post, reader) && isWritten(post.texts, reader)
}

export const isTermListed = ({ texts }: { readonly texts: OwnTexts }, reader: Reader) => isWritten(texts, reader)

/** Whether its details are told. */
export const isOpen = ({ locked }: PostFacts, { opens }: Reader) => !locked || opens

/** Contract e.4: visitors and subscribers may ask for what is published, and for nothing else. */
export const mayAskFor = (status: readonly Status[] | undefined, reader: Reader): boolean =>
  status === undefined || isWriter(reader) || status.every((name) => name === 'publish')

/**
 * What records linked to an event are told of it: its links are details of it, and what is in the trash or kept out of
 * listings leads nowhere.
 */
export const tellsLinks = (event: EventFacts, reader: Reader): boolean =>
  mayRead(event, reader) && isOpen(event, reader) && event.status !== 'trash' && !event.hidden
