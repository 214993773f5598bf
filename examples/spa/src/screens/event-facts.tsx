import type { ReactNode } from 'react'
import { placeOf, priceText } from '../components/event-card.tsx'
import { whenText } from '../dates.ts'
import type { EventPageQuery } from '../gql/graphql.ts'
import { useLanguage } from '../languages.ts'

export type EventDetails = NonNullable<EventPageQuery['event']>

/** When, where, price, organizers, and links that add the event to a calendar. */
export function EventFacts({ event }: { readonly event: EventDetails }) {
  const { locale, messages } = useLanguage()
  const { event: texts } = messages
  return (
    <aside className="facts">
      <dl>
        <Fact name={texts.when}>
          <time dateTime={event.startsAt}>{whenText(locale, event)}</time>
          {event.allDay ? <small>{texts.allDay}</small> : <small>{event.timeZoneAbbreviation}</small>}
        </Fact>
        {event.venues.length > 0 && (
          <Fact name={texts.where}>
            {event.venues.map(({ id, name, address, zip, city, country }) => (
              <address key={id}>
                <b>{name}</b>
                {address && <span>{address}</span>}
                <span>{[[zip, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ')}</span>
              </address>
            ))}
          </Fact>
        )}
        {event.cost?.text && <Fact name={texts.price}>{priceText(event.cost, locale, messages)}</Fact>}
        {event.organizers.length > 0 && (
          <Fact name={texts.by}>
            {event.organizers.map(({ id, name, website }) => (
              <span key={id}>{isWebAddress(website) ? <a href={website}>{name}</a> : name}</span>
            ))}
          </Fact>
        )}
      </dl>
      <div className="fact-links">
        {isWebAddress(event.onlineUrl) && (
          <a className="button" href={event.onlineUrl}>
            {texts.online}
          </a>
        )}
        {isWebAddress(event.website) && <a href={event.website}>{texts.website}</a>}
      </div>
      {event.status === 'PUBLISHED' && event.eventStatus !== 'CANCELLED' && <AddToCalendar event={event} />}
    </aside>
  )
}

const isWebAddress = (url: string | null | undefined): url is string => /^https?:\/\//.test(url ?? '')

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function AddToCalendar({ event }: { readonly event: EventDetails }) {
  const { messages } = useLanguage()
  const { pathname, search } = new URL(event.url)
  // Only events with a slug have a calendar file.
  const file = search === '' ? `${pathname}?ical=1` : undefined
  return (
    <section className="add">
      <h2>{messages.event.addToCalendar}</h2>
      <ul>
        {file !== undefined && (
          <>
            <li>
              <a href={file} download>
                {messages.event.download}
              </a>
            </li>
            <li>
              <a href={`webcal://${location.host}${file}`}>Apple Calendar</a>
            </li>
          </>
        )}
        <li>
          <a href={googleUrl(event)} rel="nofollow noopener">
            Google Calendar
          </a>
        </li>
      </ul>
    </section>
  )
}

/** All-day events are dates, whose last is exclusive. */
function googleUrl(event: EventDetails): string {
  const compact = (text: string) => text.replace(/[-:]|\.\d+/g, '')
  const dayAfter = (local: string) => new Date(Date.parse(`${local.slice(0, 10)}T00:00Z`) + 86_400_000).toISOString()
  const times = event.allDay
    ? [event.startsLocal.slice(0, 10), dayAfter(event.endsLocal).slice(0, 10)]
    : [event.startsAt, event.endsAt].map((instant) => new Date(instant).toISOString())
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: times.map(compact).join('/'),
    details: event.url,
    location: placeOf(event) ?? '',
  })
  return `https://calendar.google.com/calendar/render?${query}`
}
