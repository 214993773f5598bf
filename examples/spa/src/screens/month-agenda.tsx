import { Link } from 'wouter'
import { CardSkeleton, EventCard } from '../components/event-card.tsx'
import { longDay, monthOf } from '../dates.ts'
import { withParam } from '../filters.ts'
import { useLanguage } from '../languages.ts'
import type { Day } from './month-grid.tsx'

interface Props {
  readonly month: string
  readonly today: string
  readonly search: string
  readonly days: readonly Day[] | undefined
}

/** The days that have events. The current month begins with today. */
export function Agenda({ month, today, search, days }: Props) {
  const { locale, messages } = useLanguage()
  if (!days) return <CardSkeleton />
  const shown = days.filter(({ date, totalCount }) => totalCount > 0 && (monthOf(today) !== month || date >= today))
  return (
    <ol className="agenda">
      {shown.map(({ date, totalCount, events }) => (
        <li key={date}>
          <h2>
            <time dateTime={date}>{longDay(locale, date)}</time>
          </h2>
          {events.map((event) => (
            <EventCard key={event.id} event={event} level={3} />
          ))}
          {totalCount > events.length && (
            <Link href={`/events/${withParam(withParam(search, 'month', null), 'on', date)}`} className="more">
              {messages.month.more(totalCount - events.length)}
            </Link>
          )}
        </li>
      ))}
    </ol>
  )
}
