import type { AnyVariables, TypedDocumentNode } from '@urql/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { useClient, useQuery } from 'urql'

interface Page<Node> {
  readonly nodes: readonly Node[]
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

interface Options<Data, Variables, Node> {
  readonly query: TypedDocumentNode<Data, Variables & { after?: string | undefined }>
  readonly variables: Variables
  readonly listOf: (data: Data) => Page<Node>
  /** Reads all pages, for choices, instead of one after the other on demand. */
  readonly readsAllPages?: boolean
}

/** A list of several pages. After a write, it has as many records as before. */
export function useList<Data, Variables extends AnyVariables, Node>({
  query,
  variables,
  listOf,
  readsAllPages = false,
}: Options<Data, Variables, Node>) {
  const client = useClient()
  const [{ data, error, fetching }, read] = useQuery({
    query,
    variables: variables as Variables & { after?: undefined },
    requestPolicy: readsAllPages ? 'cache-first' : 'cache-and-network',
  })
  // While other variables are fetched, `data` is still that of the former ones.
  const first = data && !fetching ? listOf(data) : undefined
  const key = JSON.stringify(variables)
  const [wanted, setWanted] = useState({ key, count: 0 })
  const count = readsAllPages ? Number.POSITIVE_INFINITY : wanted.key === key ? wanted.count : 0
  const [shown, setShown] = useState({ key, list: first })
  const readPage = useEffectEvent(async (after: string) => {
    const { data } = await client.query(query, { ...variables, after })
    return data && listOf(data)
  })
  useEffect(() => {
    let isCurrent = true
    async function readOn() {
      // The cache merges each page with those before it.
      let list = first
      let after: string | null = null
      while (list && list.nodes.length < count && list.pageInfo.hasNextPage && list.pageInfo.endCursor !== after) {
        after = list.pageInfo.endCursor
        list = after === null ? undefined : await readPage(after)
        if (!isCurrent) return
      }
      if (list) setShown({ key, list })
    }
    void readOn()
    return () => {
      isCurrent = false
    }
  }, [first, count, key])
  // The former list stays until the next one is there, unless that one fails.
  const former = error ? undefined : shown.list
  const list = shown.key === key ? (shown.list ?? first) : (first ?? former)
  return {
    list,
    error: list ? undefined : error,
    retry: () => read({ requestPolicy: 'network-only' }),
    /** Shows the next page. Undefined after the last one. */
    showMore: list?.pageInfo.hasNextPage ? () => setWanted({ key, count: list.nodes.length + 1 }) : undefined,
  }
}
