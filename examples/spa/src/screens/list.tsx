import { useEffect, useRef, useState } from 'react'
import { useQuery } from 'urql'
import { Link } from 'wouter'
import { CardSkeleton, EventCard } from '../components/event-card.tsx'
import { Facets, facetsQuery } from '../components/facets.tsx'
import { EmptyState, ErrorState, PageHeading, useTitle } from '../components/states.tsx'
import { fullDay } from '../dates.ts'
import { eventFilter, type Filters, useFilters, withParam } from '../filters.ts'
import { graphql } from '../gql/gql.ts'
import type { EventFilter } from '../gql/graphql.ts'
import { type Language, useLanguage } from '../languages.ts'
import { useLiveVersion } from '../live.tsx'
import { useSite } from '../site.ts'

const listQuery = graphql(`
  query EventList($filter: EventFilter, $orderBy: EventOrder, $after: String) {
    events(first: 12, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount
      searchMatch
      edges {
        cursor
        node {
          ...EventCard
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)

export function ListScreen() {
  const language = useLanguage()
  const { filters: texts } = language.messages
  const site = useSite()
  const { filters, search } = useFilters()
  const title = titleOf(filters, language)
  useTitle(title, site.name)
  // A day shows everything on it; other lists show what is to come.
  const filter: EventFilter = { ...eventFilter(filters), ...(!filters.on && { when: 'UPCOMING' }) }
  const [facets] = useQuery({ query: facetsQuery, variables: { filter }, requestPolicy: 'cache-and-network' })
  return (
    <div className="list-screen">
      <div className="list-head">
        <PageHeading>{title}</PageHeading>
        <p className="chosen">
          {filters.on && (
            <Link href={`/events/${withParam(search, 'on', null)}`} className="chosen-filter">
              {texts.on}: {fullDay(language.locale, filters.on)} <span aria-hidden="true">×</span>
            </Link>
          )}
          {filters.search && (
            <Link href={`/events/${withParam(search, 'q', null)}`} className="chosen-filter">
              {texts.search}: {filters.search} <span aria-hidden="true">×</span>
            </Link>
          )}
        </p>
      </div>
      <div className="with-facets">
        <Facets facets={facets.data?.eventFacets} filters={filters} search={search} path="/events/" />
        <EventList key={JSON.stringify(filter)} filter={filter} />
      </div>
    </div>
  )
}

function titleOf({ search, on }: Filters, { messages: { listing }, locale }: Language): string {
  if (search) return listing.results(search)
  return on ? fullDay(locale, on) : listing.upcoming
}

/** An endless list: the next page loads when the end is near, or by the button. */
function EventList({ filter }: { readonly filter: EventFilter }) {
  const { messages } = useLanguage()
  const { listing } = messages
  const version = useLiveVersion()
  const [after, setAfter] = useState<string | null>(null)
  const [{ data, error, fetching }, reload] = useQuery({
    query: listQuery,
    variables: { filter, after, orderBy: { field: filter.search ? 'RELEVANCE' : 'START' } },
    requestPolicy: 'cache-and-network',
  })
  useEffect(() => {
    if (version === 0) return
    setAfter(null)
    reload({ requestPolicy: 'network-only' })
  }, [version, reload])

  const { events } = data ?? {}
  const next = events?.pageInfo.hasNextPage ? events.pageInfo.endCursor : null
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const element = button.current
    if (!element || !next || fetching) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setAfter(next), {
      rootMargin: '400px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [next, fetching])

  if (error && !events) return <ErrorState error={error} retry={() => reload({ requestPolicy: 'network-only' })} />
  return (
    <div className="list-body" aria-busy={fetching}>
      <p className="list-count" role="status">
        {events ? messages.events(events.totalCount) : messages.loading}
      </p>
      {events?.searchMatch === 'SIMILAR' && <p className="notice">{listing.similar}</p>}
      <ul className="cards">
        {events?.edges.map(({ node }) => (
          <li key={node.id}>
            <EventCard event={node} />
          </li>
        ))}
        {!events && skeletons.map((name) => <CardSkeletonItem key={name} />)}
      </ul>
      {events?.totalCount === 0 && (
        <EmptyState text={listing.empty}>
          <Link href="/events/" className="button">
            {messages.filters.clear}
          </Link>
        </EmptyState>
      )}
      {next && (
        <button
          type="button"
          className="button more-button"
          ref={button}
          onClick={() => setAfter(next)}
          disabled={fetching}
        >
          {fetching ? messages.loading : listing.more}
        </button>
      )}
      {error && events && <ErrorState error={error} retry={() => reload({ requestPolicy: 'network-only' })} />}
      {events && events.totalCount > 12 && !next && <p className="list-end">{listing.end}</p>}
    </div>
  )
}

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f']

const CardSkeletonItem = () => (
  <li>
    <CardSkeleton />
  </li>
)
