// Reads the events of a feed page by page, so that memory does not depend on their number.

import { DomainError } from '../../basics/errors.ts'
import {
  type EventFilter,
  type EventOrder,
  type FeedEventFragment,
  FeedEventsDocument,
  type FeedEventsQueryVariables,
  FeedExtentDocument,
} from '../../generated/graphql/graphql.ts'
import type { Context } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'

/** Events per page: the largest page of GraphQL. */
const pageSize = 100

interface EventList {
  readonly filter: EventFilter
  readonly order: EventOrder
  /** Cursor of the event before the first one. */
  readonly after: string | undefined
  /** Number of events to return at most. */
  readonly count: number
  readonly execute: Execute
  /** Each page has a context of its own, because a context limits the texts of one response. */
  newContext(): Promise<Context>
}

export interface EventPage {
  readonly events: readonly FeedEventFragment[]
  readonly hasNext: boolean
  /** Cursor of the last event, if more events follow. */
  readonly next: string | undefined
}

/** An event that is created or deleted meanwhile may be missing, but none occurs twice. */
export async function* eventPages({
  order,
  count,
  execute,
  newContext,
  ...list
}: EventList): AsyncGenerator<EventPage, void> {
  let [size, left] = [pageSize, count]
  let { after } = list
  while (left > 0) {
    const variables: FeedEventsQueryVariables = {
      filter: list.filter,
      orderBy: order,
      first: Math.min(size, left),
      after,
    }
    try {
      const { events } = await execute(FeedEventsDocument, variables, await newContext())
      const { hasNextPage, endCursor } = events.pageInfo
      left -= events.nodes.length
      after = endCursor ?? undefined
      const hasNext = hasNextPage && left > 0
      yield { events: events.nodes, hasNext, next: hasNextPage ? after : undefined }
      if (!hasNext) return
    } catch (error) {
      // The texts of a page of very long descriptions exceed the limit of one response.
      if (!(error instanceof DomainError) || error.code !== 'ANSWER_TOO_LARGE' || size === 1) throw error
      size = Math.ceil(size / 10)
    }
  }
}

/** The number of events, and the last end of one of them. */
export async function readExtent(filter: EventFilter, context: Context, execute: Execute) {
  const { events } = await execute(FeedExtentDocument, { filter }, context)
  return { total: events.totalCount, until: events.nodes[0]?.endsAt }
}

/** Further list reads that the pages after the first one count as. */
export const furtherPages = (events: number): number => Math.max(0, Math.ceil(events / pageSize) - 1)
