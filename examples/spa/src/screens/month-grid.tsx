import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { hueClass } from '../components/artwork.tsx'
import { eventHref } from '../components/event-card.tsx'
import { hueOf } from '../components/picture.tsx'
import { addDays, addMonths, dayNumber, fullDay, monthOf, timeOf, weekdayNames, weeksOf } from '../dates.ts'
import { withParam } from '../filters.ts'
import type { EventCardFragment, MonthQuery } from '../gql/graphql.ts'
import { useLanguage } from '../languages.ts'

export type Day = MonthQuery['eventCalendar']['days'][number]

interface Props {
  readonly month: string
  readonly today: string
  readonly caption: string
  readonly search: string
  readonly days: readonly Day[] | undefined
  /** The day to focus after a change of the month by keyboard. */
  readonly focused: string | undefined
  readonly goTo: (month: string, day: string) => void
}

/** Days by which arrow keys move. */
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A table of weeks. One day at a time is in the tab order; arrow keys move between days. */
export function MonthGrid({ month, today, caption, search, days, focused, goTo }: Props) {
  const { locale, messages, direction } = useLanguage()
  const table = useRef<HTMLTableElement>(null)
  const byDate = new Map(days?.map((day) => [day.date, day]))
  const { from, to } = weeksOf(month)
  const weeks: string[][] = []
  for (let monday = from; monday <= to; monday = addDays(monday, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(monday, index)))
  const isInMonth = (date: string | undefined): date is string => date !== undefined && monthOf(date) === month
  const tabStop = isInMonth(focused) ? focused : isInMonth(today) ? today : `${month}-01`

  useEffect(() => {
    if (focused !== undefined && monthOf(focused) === month) focusDay(table.current, focused)
  }, [focused, month])

  const onKeyDown = (event: KeyboardEvent) => {
    const date = (event.target as HTMLElement).dataset.date
    if (date === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const target = dayByKey(event.key, date, direction)
    if (target === undefined) return
    event.preventDefault()
    if (monthOf(target) === month) focusDay(table.current, target)
    else goTo(monthOf(target), target)
  }

  return (
    <table className="month-grid" ref={table} onKeyDown={onKeyDown}>
      <caption>
        {caption}. {messages.month.hint}
      </caption>
      <thead>
        <tr>
          {weekdayNames(locale, 'long').map((name, index) => (
            <th key={name} scope="col" abbr={name}>
              {weekdayNames(locale, 'short')[index]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((date) => (
              <DayCell
                key={date}
                {...{ date, search }}
                day={byDate.get(date)}
                isToday={date === today}
                isOutside={!isInMonth(date)}
                isTabStop={date === tabStop}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function focusDay(table: HTMLElement | null, date: string): void {
  table?.querySelector<HTMLElement>(`[data-date="${date}"]`)?.focus()
}

function dayByKey(key: string, date: string, direction: 'ltr' | 'rtl'): string | undefined {
  if (key === 'PageUp' || key === 'PageDown') {
    const month = addMonths(monthOf(date), key === 'PageUp' ? -1 : 1)
    // A month may have fewer days.
    const target = addDays(`${month}-01`, dayNumber(date) - 1)
    return monthOf(target) === month ? target : addDays(`${addMonths(month, 1)}-01`, -1)
  }
  const step = steps[key]
  if (step === undefined) return undefined
  return addDays(date, direction === 'rtl' && Math.abs(step) === 1 ? -step : step)
}

interface CellProps {
  readonly date: string
  readonly day: Day | undefined
  readonly search: string
  readonly isToday: boolean
  readonly isOutside: boolean
  readonly isTabStop: boolean
}

function DayCell({ date, day, search, isToday, isOutside, isTabStop }: CellProps) {
  const { locale, messages } = useLanguage()
  const count = day?.totalCount ?? 0
  const href = `/events/${withParam(withParam(search, 'month', null), 'on', date)}`
  const hidden = count - (day?.events.length ?? 0)
  return (
    <td className={isOutside ? 'outside' : undefined}>
      <Link
        href={href}
        className="day"
        data-date={date}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isToday ? 'date' : undefined}
        aria-label={messages.month.dayLabel(fullDay(locale, date), count)}
      >
        {dayNumber(date)}
      </Link>
      {count > 0 && (
        <ul>
          {day?.events.map((event) => (
            <li key={event.id}>
              <EventChip event={event} date={date} />
            </li>
          ))}
          {hidden > 0 && (
            <li>
              <Link href={href} className="more" tabIndex={-1} aria-hidden="true">
                {messages.month.more(hidden)}
              </Link>
            </li>
          )}
        </ul>
      )}
    </td>
  )
}

/** The time is that of the start, so only the first day of an event shows it. */
function EventChip({ event, date }: { readonly event: EventCardFragment; readonly date: string }) {
  const { locale } = useLanguage()
  const startsToday = event.startsLocal.startsWith(date)
  return (
    <Link
      href={eventHref(event.url)}
      title={event.title}
      className={`chip ${hueClass(hueOf(event))} ${event.eventStatus === 'CANCELLED' ? 'cancelled' : ''}`}
    >
      {startsToday && !event.allDay && <time dateTime={event.startsLocal}>{timeOf(locale, event.startsLocal)}</time>}{' '}
      {event.title}
    </Link>
  )
}
