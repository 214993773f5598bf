import { useEffect, useRef, useState } from 'react'
import { useQuery } from 'urql'
import { Link } from 'wouter'
import { formatSpan } from '../../dates.ts'
import { type EventRowFragment, EventRowsDocument, type EventRowsQueryVariables } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import { contentLanguage, tagOf } from '../../site.ts'
import type { Selection } from './selection.ts'
import { StateBadge } from './state-badge.tsx'

export const rowsPerBlock = 50

interface Props {
  readonly page: number
  readonly rows: number
  readonly variables: Omit<EventRowsQueryVariables, 'page'>
  readonly selection: Selection
  readonly onSelect: (selection: Selection) => void
}

/** A block of rows. Off the screen, and until its rows have arrived, it is an empty one of the same height. */
export function TableBlock({ page, rows, ...props }: Props) {
  const block = useRef<HTMLTableSectionElement>(null)
  const [isNear, setNear] = useState(page === 1)
  useEffect(() => {
    // A busy browser reports several changes at once: only the last one still holds.
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '1000px',
    })
    if (block.current) observer.observe(block.current)
    return () => observer.disconnect()
  }, [])
  return <tbody ref={block}>{isNear ? <Rows page={page} rows={rows} {...props} /> : <Space rows={rows} />}</tbody>
}

const Space = ({ rows }: { readonly rows: number }) => (
  <tr className="space" style={{ height: `calc(var(--row) * ${rows})` }}>
    <td />
  </tr>
)

function Rows({ page, rows, variables, selection, onSelect }: Props) {
  const [{ data }] = useQuery({ query: EventRowsDocument, variables: { ...variables, page } })
  if (!data) return <Space rows={rows} />
  return data.eventsPage.items.map((row, index) => (
    <Row
      key={row.id}
      row={row}
      index={(page - 1) * rowsPerBlock + index + 2}
      isSelected={selection.has(row.id)}
      onSelect={(isSelected) => {
        const next = new Map(selection)
        if (isSelected) next.set(row.id, row)
        else next.delete(row.id)
        onSelect(next)
      }}
    />
  ))
}

interface RowProps {
  readonly row: EventRowFragment
  readonly index: number
  readonly isSelected: boolean
  readonly onSelect: (isSelected: boolean) => void
}

function Row({ row, index, isSelected, onSelect }: RowProps) {
  const { events: texts } = useMessages()
  const when = formatSpan(row.startsLocal, row.endsLocal, row.allDay ?? false)
  const venue = row.venues.map(({ name }) => name).join(', ')
  const { title: language } = row.languages
  const lang = language && language !== contentLanguage ? tagOf(language) : undefined
  return (
    <tr aria-rowindex={index} className={isSelected ? 'selected' : undefined}>
      <td className="check">
        <input
          type="checkbox"
          aria-label={texts.select(row.title)}
          checked={isSelected}
          disabled={!row.viewerCanUpdate}
          onChange={({ target }) => onSelect(target.checked)}
        />
      </td>
      <th scope="row">
        <Link href={`/events/${row.databaseId}`} className="line" lang={lang}>
          {row.title}
        </Link>
        <span className="line soft narrow">{when}</span>
        <span className="line soft narrow">{venue}</span>
        {row.series && (
          <span className="line soft wide">
            {texts.repeats} {row.series.words}
          </span>
        )}
      </th>
      <td className="wide">
        <span className="lines">{when}</span>
      </td>
      <td className="wide">
        <span className="lines">{venue}</span>
      </td>
      <td className="wider">
        <span className="lines">{row.categories.map(({ name }) => name).join(', ')}</span>
      </td>
      <td className="state">
        <StateBadge status={row.status} eventStatus={row.eventStatus} />
      </td>
    </tr>
  )
}
