import type { TypedDocumentNode } from '@urql/core'
import { useState } from 'react'
import { useQuery } from 'urql'
import {
  CategoryHistoryDocument,
  EventHistoryDocument,
  OrganizerHistoryDocument,
  type RevisedKind,
  type RevisionPageFragment,
  SeriesHistoryDocument,
  TagHistoryDocument,
  VenueHistoryDocument,
} from '../../gql/graphql.ts'

interface Data {
  readonly record: {
    readonly id: string
    readonly name: string
    readonly revisions: RevisionPageFragment | null
    readonly series?: { readonly databaseId: number } | null
  } | null
}
interface Variables {
  readonly id: string
  readonly after?: string | undefined
}
const kindOf = (kind: RevisedKind, document: TypedDocumentNode<Data, Variables>) => ({ kind, document })

export const histories = {
  events: kindOf('EVENT', EventHistoryDocument),
  series: kindOf('SERIES', SeriesHistoryDocument),
  venues: kindOf('VENUE', VenueHistoryDocument),
  organizers: kindOf('ORGANIZER', OrganizerHistoryDocument),
  categories: kindOf('CATEGORY', CategoryHistoryDocument),
  tags: kindOf('TAG', TagHistoryDocument),
} as const

export type HistoryKind = keyof typeof histories

/** Revisions of a record, newest first. */
export function useHistory(path: HistoryKind, databaseId: string) {
  const [after, setAfter] = useState<string>()
  const [{ data, error, fetching }, reload] = useQuery({
    query: histories[path].document,
    variables: { id: databaseId, after },
    requestPolicy: 'cache-and-network',
  })
  const { hasNextPage = false, endCursor = null } = data?.record?.revisions?.pageInfo ?? {}
  return {
    name: data?.record?.name,
    series: data?.record?.series ? String(data.record.series.databaseId) : undefined,
    revisions: data?.record?.revisions?.nodes,
    isMissing: data !== undefined && data.record === null,
    error,
    fetching,
    reload: () => {
      setAfter(undefined)
      reload({ requestPolicy: 'network-only' })
    },
    loadMore: hasNextPage && endCursor !== null ? () => setAfter(endCursor) : undefined,
  }
}
