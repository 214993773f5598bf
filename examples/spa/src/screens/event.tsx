import { useEffect } from 'react'
import { useQuery } from 'urql'
import { Link } from 'wouter'
import { hueClass } from '../components/artwork.tsx'
import { EventCard, eventHref, StateLabel } from '../components/event-card.tsx'
import { Html } from '../components/html.tsx'
import { hueOf, ownImage, Picture } from '../components/picture.tsx'
import { ErrorState, NotFound, PageHeading, useTitle } from '../components/states.tsx'
import { graphql } from '../gql/gql.ts'
import { languageOfCode, useLanguage } from '../languages.ts'
import { useLiveVersion } from '../live.tsx'
import { useSite } from '../site.ts'
import { type EventDetails, EventFacts } from './event-facts.tsx'

const eventQuery = graphql(`
  query EventPage($id: ID, $slug: String) {
    event(id: $id, slug: $slug) {
      ...EventCard
      excerptHtml
      descriptionHtml
      startsAt
      endsAt
      timeZone
      timeZoneAbbreviation
      website
      onlineUrl
      viewerCanUpdate
      languages {
        tag
        title
        excerpt
        description
      }
      translations {
        language
        url
      }
      organizers {
        id
        contentLanguage
        name
        website
      }
      venues {
        id
        contentLanguage
        name
        address
        zip
        city
        country
        coordinates {
          latitude
          longitude
        }
      }
      tags {
        id
        contentLanguage
        name
      }
      related(first: 4) {
        ...EventCard
      }
    }
  }
`)

interface Props {
  readonly by: { readonly id: string } | { readonly slug: string }
}

export function EventScreen({ by }: Props) {
  const { messages } = useLanguage()
  const site = useSite()
  const version = useLiveVersion()
  const [{ data, error, fetching }, reload] = useQuery({
    query: eventQuery,
    variables: by,
    requestPolicy: 'cache-and-network',
  })
  useEffect(() => {
    if (version > 0) reload({ requestPolicy: 'network-only' })
  }, [version, reload])
  const event = data?.event
  useTitle(event?.title, site.name)
  if (event) return <EventArticle event={event} />
  if (fetching) return <EventSkeleton label={messages.loading} />
  const isMissing = !error || error.graphQLErrors.some(({ extensions }) => isAbsence(extensions.code))
  if (isMissing) return <NotFound siteName={site.name} />
  return <ErrorState error={error} retry={() => reload({ requestPolicy: 'network-only' })} />
}

const isAbsence = (code: unknown): boolean => ['NOT_FOUND', 'NOT_ACCESSIBLE', 'TRASHED'].includes(String(code))

const EventSkeleton = ({ label }: { readonly label: string }) => (
  <div className="event-page skeleton" role="status">
    <span className="visually-hidden">{label}</span>
    <div className="event-picture" />
    <div className="event-head">
      <p className="bar" />
      <p className="bar wide" />
    </div>
  </div>
)

function EventArticle({ event }: { readonly event: EventDetails }) {
  const language = useLanguage()
  const { messages } = language
  const { image } = event
  const served = languageOfCode(event.languages.title)
  const textLanguage = served === language ? undefined : served.tag
  return (
    <article className={`event-page ${hueClass(hueOf(event))}`}>
      {event.translations.map(({ language: code, url }) => (
        <link key={code} rel="alternate" hrefLang={languageOfCode(code).tag} href={pathOf(url)} />
      ))}
      <figure className="event-picture">
        <Picture event={event} sizes="(max-width: 80rem) 100vw, 80rem" isFirst />
        {ownImage(event) && (image?.credit || image?.caption) && (
          <figcaption>
            {image.caption} {image.credit && messages.event.credit(image.credit)}
          </figcaption>
        )}
      </figure>
      <header className="event-head">
        {event.categories.length > 0 && (
          <p className="kicker">
            {event.categories.map(({ id, name }) => (
              <span key={id}>{name}</span>
            ))}
          </p>
        )}
        <PageHeading>
          <span lang={textLanguage}>{event.title}</span>
        </PageHeading>
        <p className="card-labels">
          <StateLabel event={event} />
          {event.status !== 'PUBLISHED' && <span className="state">{messages.event.DRAFT}</span>}
        </p>
        {event.excerptHtml && (
          <div className="lead">
            <Html html={event.excerptHtml} lang={languageOfCode(event.languages.excerpt).tag} />
          </div>
        )}
        {served !== language && <p className="notice">{messages.event.served(served.name)}</p>}
      </header>
      <div className="event-columns">
        <EventFacts event={event} />
        <div className="event-text">
          {event.locked && <p className="notice">{messages.event.locked}</p>}
          {event.descriptionHtml && (
            <Html html={event.descriptionHtml} lang={languageOfCode(event.languages.description).tag} />
          )}
          {event.tags.length > 0 && (
            <p className="tags">
              {event.tags.map(({ id, name }) => (
                <span key={id}>{name}</span>
              ))}
            </p>
          )}
          {event.viewerCanUpdate && (
            <p>
              <Link href={`/translate/${event.databaseId}/`} className="button">
                {messages.event.translate}
              </Link>
            </p>
          )}
        </div>
      </div>
      {event.related.length > 0 && (
        <section className="related">
          <h2>{messages.event.related}</h2>
          <ul className="cards">
            {event.related.map((other) => (
              <li key={other.id}>
                <EventCard event={other} level={3} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="back">
        <Link href="/">{messages.event.back}</Link>
      </p>
    </article>
  )
}

const pathOf = (url: string | null | undefined): string | undefined => (url ? eventHref(url).slice(1) : undefined)
