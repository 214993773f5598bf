import { useState } from 'react'
import { useQuery } from 'urql'
import { Link } from 'wouter'
import { Screen } from '../../components/screen.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { EventRowsDocument } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { EventTable } from './event-table.tsx'
import { FilterBar } from './filter-bar.tsx'
import { toEventFilter, toEventOrder, useFilters } from './filters.ts'
import type { Selection } from './selection.ts'
import { rowsPerBlock } from './table-block.tsx'
import './events.css'

const nothing: Selection = new Map()

export function EventsScreen() {
  const { events: texts } = useMessages()
  const { filters, setFilter, clearFilters } = useFilters()
  const [selection, setSelection] = useState(nothing)
  const canWrite = useRight('WRITE')
  const variables = { filter: toEventFilter(filters), orderBy: toEventOrder(filters), perPage: rowsPerBlock }
  const [{ data, error, fetching }, retry] = useQuery({
    query: EventRowsDocument,
    variables: { ...variables, page: 1, counted: true },
    requestPolicy: 'cache-and-network',
  })
  const list = data?.eventsPage
  const total = list?.total ?? 0
  return (
    <Screen
      title={texts.title}
      actions={
        canWrite && (
          <Link href="/events/new" className="button primary">
            {texts.new}
          </Link>
        )
      }
    >
      <FilterBar
        filters={filters}
        onChange={(name, value) => {
          setSelection(nothing)
          setFilter(name, value)
        }}
        onClear={() => {
          setSelection(nothing)
          clearFilters()
        }}
      />
      {error && !list && <Failure error={error} onRetry={() => retry({ requestPolicy: 'network-only' })} />}
      {!list && fetching && <Loading />}
      {list && (
        <>
          <p className="count" role="status">
            {texts.count(total)}
            {list.searchMatch === 'SIMILAR' && ` ${texts.similar}`}
          </p>
          {total === 0 ? (
            <Empty>
              <p>{Object.values(filters).some(Boolean) ? texts.none : texts.noneYet}</p>
            </Empty>
          ) : (
            <EventTable
              total={total}
              variables={variables}
              selection={selection}
              onSelect={setSelection}
              key={JSON.stringify(variables)}
            />
          )}
        </>
      )}
      {selection.size > 0 && <BulkBar selection={selection} onClear={() => setSelection(nothing)} />}
    </Screen>
  )
}
