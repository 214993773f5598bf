import { useClient } from 'urql'
import { useToast } from '../../components/toast.tsx'
import { EventRowsDocument, type EventRowsQueryVariables } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import type { Selection } from './selection.ts'
import { rowsPerBlock, TableBlock } from './table-block.tsx'

/** How many events one action may change: each is a request. */
const selectionLimit = 500

interface Props {
  readonly total: number
  readonly variables: Omit<EventRowsQueryVariables, 'page'>
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
}

/**
 * The table consists of blocks, and only those near the screen have rows. Blocks are numbered pages of the list, not pages
 * behind a cursor: the scroll bar can be dragged to any place at once.
 */
export function EventTable({ total, variables, selection, onSelect }: Props) {
  const { events: texts } = useMessages()
  const client = useClient()
  const toast = useToast()
  const blocks = Array.from({ length: Math.ceil(total / rowsPerBlock) }, (_, index) => index + 1)

  async function selectAll() {
    const pages = blocks.slice(0, selectionLimit / rowsPerBlock)
    const results = await Promise.all(pages.map((page) => client.query(EventRowsDocument, { ...variables, page })))
    const rows = results.flatMap(({ data }) => data?.eventsPage.items ?? []).filter((row) => row.viewerCanUpdate)
    onSelect(new Map(rows.map((row) => [row.id, row])))
    if (total > selectionLimit) toast({ text: texts.selectLimit(selectionLimit) })
  }

  return (
    <table className="rows" aria-label={texts.title} aria-rowcount={total + 1}>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" className="check">
            <input
              type="checkbox"
              aria-label={texts.selectAll}
              checked={selection.size > 0}
              ref={(input) => {
                if (input) input.indeterminate = selection.size > 0 && selection.size < Math.min(total, selectionLimit)
              }}
              onChange={({ target }) => (target.checked ? selectAll() : onSelect(new Map()))}
            />
          </th>
          <th scope="col">{texts.columns.event}</th>
          <th
            scope="col"
            className="wide"
            aria-sort={variables.orderBy?.direction === 'DESC' ? 'descending' : 'ascending'}
          >
            {texts.columns.when}
          </th>
          <th scope="col" className="wide">
            {texts.columns.venue}
          </th>
          <th scope="col" className="wider">
            {texts.columns.categories}
          </th>
          <th scope="col" className="state">
            {texts.columns.state}
          </th>
        </tr>
      </thead>
      {blocks.map((page) => (
        <TableBlock
          key={page}
          page={page}
          rows={Math.min(rowsPerBlock, total - (page - 1) * rowsPerBlock)}
          variables={variables}
          selection={selection}
          onSelect={onSelect}
        />
      ))}
    </table>
  )
}
