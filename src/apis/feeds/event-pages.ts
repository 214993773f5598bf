// Reads the events of a feed page by page, so that memory does not depend on their number.
import { DomainError } from '../../basics/errors.ts'
import {
  FeedChangesDocument,
  type FeedChangesQueryVariables,
  FeedEventsDocument,
  type FeedEventsQueryVariables,
} from '../../generated/graphql/graphql.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import type { FeedItem } from './format.ts'

/** Events per page: the largest page of GraphQL. */
export const pageSize = 100

export interface FeedEventsPage {
  readonly events: readonly FeedItem[]
  readonly hasNext: boolean
  /** Cursor of the last event, if more events follow. */
  readonly next: string | undefined
}

/** Yields at most `count` events, each event once. Each page has its own context: a context limits the size of texts that it reads. */
export async function* readEventPages(
  { after, ...list }: Omit<FeedEventsQueryVariables, 'first'>,
  count: number,
  execute: Execute,
  newContext: () => Promise<Context>,
): AsyncGenerator<FeedEventsPage, void> {
  let [size, left] = [pageSize, count]
  while (left > 0) {
    try {
      const variables = { ...list, after, first: Math.min(size, left) }
      const { events } = await execute(FeedEventsDocument, variables, await newContext())
      const { hasNextPage, endCursor } = events.pageInfo
      left -= events.nodes.length
      after = endCursor
      const hasNext = hasNextPage && left > 0
      yield { events: events.nodes, hasNext, next: (hasNextPage && endCursor) || undefined }
      if (!hasNext) return
    } catch (error) {
      if (!isTooLarge(error) || size === 1) throw error
      size = Math.ceil(size / 10)
    }
  }
}

/** Reads a page of what changed in a list since the token `after`, of at most `first` events. */
export async function readChanges(
  { first = pageSize, ...list }: Omit<FeedChangesQueryVariables, 'first'> & { readonly first: number | undefined },
  execute: Execute,
  newContext: () => Promise<Context>,
) {
  for (let size = Math.min(first, pageSize); ; size = Math.ceil(size / 10)) {
    try {
      return (await execute(FeedChangesDocument, { ...list, first: size }, await newContext())).changes
    } catch (error) {
      if (!isTooLarge(error) || size === 1) throw error
    }
  }
}

// Very long descriptions can exceed the size limit of one response: a smaller page is read instead.
const isTooLarge = (error: unknown): boolean => error instanceof DomainError && error.code === 'ANSWER_TOO_LARGE'

/** Returns the number of pages after the first page, each of which the rate limit counts as a list read. */
export const countFurtherPages = (events: number): number => Math.max(0, Math.ceil(events / pageSize) - 1)
