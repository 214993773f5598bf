import { useCallback, useEffect, useRef, useState } from 'react'
import { type CombinedError, useClient } from 'urql'
import { CalendarEventsDocument, type EventRowFragment } from '../../gql/graphql.ts'

/** Days as `2027-01-12`, the last one included. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** More do not fit into a month on a screen; a list of that many is in the table. */
const maxEvents = 1000

/** The events of these days. `reload` reads them again after a change. */
export function useEventsBetween(days: Days | undefined) {
  const client = useClient()
  const [result, setResult] = useState<{ rows: readonly EventRowFragment[]; error?: CombinedError }>()
  const readings = useRef(0)
  const read = useCallback(async () => {
    readings.current++
    const reading = readings.current
    if (!days) return
    const filter = { between: { ...days, match: 'OVERLAPPING', timeZone: 'local' } } as const
    const rows: EventRowFragment[] = []
    let after: string | undefined
    do {
      const { data, error } = await client.query(
        CalendarEventsDocument,
        { filter, after },
        { requestPolicy: 'network-only' },
      )
      // A later read, perhaps of other days, supersedes this one.
      if (reading !== readings.current) return
      if (!data) return setResult({ rows, ...(error && { error }) })
      rows.splice(0, rows.length, ...data.events.nodes)
      const { hasNextPage, endCursor } = data.events.pageInfo
      after = hasNextPage && endCursor !== null && rows.length < maxEvents ? endCursor : undefined
    } while (after !== undefined)
    setResult({ rows })
  }, [client, days])
  useEffect(() => {
    void read()
  }, [read])
  return { ...result, reload: read }
}
