import { useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { Link, useLocation } from 'wouter'
import { Artwork } from '../components/artwork.tsx'
import { Facets, facetsQuery } from '../components/facets.tsx'
import { EmptyState, ErrorState, PageHeading, useTitle } from '../components/states.tsx'
import { addMonths, isMonth, monthAndYear, monthName, monthOf, todayIn, weeksOf } from '../dates.ts'
import { eventFilter, useFilters, withoutFacets, withParam } from '../filters.ts'
import { graphql } from '../gql/gql.ts'
import { useLanguage } from '../languages.ts'
import { useLiveVersion } from '../live.tsx'
import { useIsWide } from '../media.ts'
import { useSite } from '../site.ts'
import { Agenda } from './month-agenda.tsx'
import { MonthGrid } from './month-grid.tsx'

const monthQuery = graphql(`
  query Month($from: DayExpression!, $to: DayExpression!, $filter: EventFilter) {
    eventCalendar(from: $from, to: $to, timeZone: "local", filter: $filter) {
      totalCount
      days {
        date
        totalCount
        events(first: 3) {
          ...EventCard
        }
      }
    }
  }
`)

export function MonthScreen() {
  const { locale, messages } = useLanguage()
  const site = useSite()
  const isWide = useIsWide()
  const version = useLiveVersion()
  const [, navigate] = useLocation()
  const { filters, search } = useFilters()
  const today = todayIn(site.timeZone)
  const parameter = new URLSearchParams(search).get('month')
  const month = isMonth(parameter) ? parameter : monthOf(today)
  const [focused, setFocused] = useState<string>()

  const days = weeksOf(month)
  const range = { from: `${month}-01`, to: lastDay(month) }
  const filter = eventFilter({ ...filters, on: null, search: null })
  const [calendar, reloadCalendar] = useQuery({
    query: monthQuery,
    variables: { ...(isWide ? days : range), filter },
    requestPolicy: 'cache-and-network',
  })
  const [facets, reloadFacets] = useQuery({
    query: facetsQuery,
    variables: { filter: { ...filter, between: { ...range, timeZone: 'local', match: 'OVERLAPPING' } } },
    requestPolicy: 'cache-and-network',
  })
  useEffect(() => {
    if (version === 0) return
    reloadCalendar({ requestPolicy: 'network-only' })
    reloadFacets({ requestPolicy: 'network-only' })
  }, [version, reloadCalendar, reloadFacets])

  const title = monthAndYear(locale, month)
  useTitle(title, site.name)
  const href = (other: string) => `/${withParam(search, 'month', other === monthOf(today) ? null : other)}`
  const goTo = (other: string, day?: string) => {
    setFocused(day)
    navigate(href(other))
  }
  const total = facets.data?.eventFacets.totalCount

  return (
    <div className="month-screen">
      <div className="month-head">
        <div className="month-art">
          <Artwork seed={Number(month.replace('-', ''))} hue={Number(month.slice(5))} columns={14} rows={2} />
        </div>
        <div className="month-title">
          <PageHeading>
            {monthName(locale, month)} <span>{month.slice(0, 4)}</span>
          </PageHeading>
          <p className="month-count" role="status">
            {total === undefined ? messages.loading : messages.events(total)}
          </p>
          <nav className="month-nav" aria-label={messages.calendar}>
            <Link href={href(addMonths(month, -1))} aria-label={messages.month.previous} rel="prev">
              <Chevron />
            </Link>
            <Link href={href(monthOf(today))} className="today">
              {messages.month.today}
            </Link>
            <Link href={href(addMonths(month, 1))} aria-label={messages.month.next} rel="next">
              <Chevron isForward />
            </Link>
          </nav>
        </div>
      </div>
      <div className="with-facets">
        <Facets facets={facets.data?.eventFacets} filters={filters} search={search} path="/" />
        <div className="month-body" aria-busy={calendar.fetching}>
          {calendar.error && !calendar.data ? (
            <ErrorState error={calendar.error} retry={() => reloadCalendar({ requestPolicy: 'network-only' })} />
          ) : isWide ? (
            <MonthGrid
              {...{ month, today, focused, goTo, search }}
              caption={messages.month.caption(title)}
              days={calendar.data?.eventCalendar.days}
            />
          ) : (
            <Agenda today={today} month={month} search={search} days={calendar.data?.eventCalendar.days} />
          )}
          {total === 0 && (
            <EmptyState text={Object.keys(filter).length > 0 ? messages.month.emptyFiltered : messages.month.empty}>
              {Object.keys(filter).length > 0 && (
                <Link href={`/${withoutFacets(search)}`} className="button">
                  {messages.filters.clear}
                </Link>
              )}
            </EmptyState>
          )}
        </div>
      </div>
    </div>
  )
}

const lastDay = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}

const Chevron = ({ isForward = false }: { readonly isForward?: boolean }) => (
  <svg viewBox="0 0 20 20" aria-hidden="true" className={isForward ? 'chevron forward' : 'chevron'}>
    <path d="M12.5 3 14 4.5 8.5 10l5.5 5.5-1.5 1.5L5.5 10z" />
  </svg>
)
