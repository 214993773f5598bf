import { Link } from 'wouter'
import { dayNumber, longDay, shortMonth, timeOf } from '../dates.ts'
import type { EventCardFragment } from '../gql/graphql.ts'
import { useLanguage } from '../languages.ts'
import type { Messages } from '../messages/en.ts'
import { hueClass } from './artwork.tsx'
import { categoryOf, hueOf, Picture } from './picture.tsx'

/** The link of wouter to the page of a record; `~` leaves the base of the language. */
export function eventHref(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return `~${pathname}${search}`
}

export const placeOf = ({ venues: [venue] }: Pick<EventCardFragment, 'venues'>): string | undefined =>
  venue && [venue.name, venue.city].filter(Boolean).join(', ')

/** The text of the service, in English, is for prices without a known currency, and for several. */
export function priceText(cost: NonNullable<EventCardFragment['cost']>, locale: string, { event }: Messages): string {
  const { text, currency, minimum, maximum } = cost
  if (minimum == null || maximum == null) return text
  if (Number(maximum) === 0) return event.free
  if (currency == null) return text
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  const [from, to] = [Number(minimum), Number(maximum)]
  return from === to ? format.format(to) : format.formatRange(from, to)
}

/** States other than "as planned", as a label. */
export function StateLabel({ event }: { readonly event: Pick<EventCardFragment, 'eventStatus'> }) {
  const { messages } = useLanguage()
  return event.eventStatus === 'SCHEDULED' ? null : <span className="state">{messages.event[event.eventStatus]}</span>
}

export function EventCard({ event, level = 2 }: { readonly event: EventCardFragment; readonly level?: 2 | 3 }) {
  const { locale, messages } = useLanguage()
  const Title = `h${level}` as const
  const place = placeOf(event)
  const category = categoryOf(event)
  return (
    <article className={`card ${hueClass(hueOf(event))}`}>
      <div className="card-picture">
        <Picture event={event} sizes="(max-width: 45rem) 100vw, 24rem" />
        <p className="card-date" aria-hidden="true">
          <b>{dayNumber(event.startsLocal)}</b>
          {shortMonth(locale, event.startsLocal)}
        </p>
      </div>
      <div className="card-text">
        {category && <p className="kicker">{category.name}</p>}
        <Title>
          <Link href={eventHref(event.url)}>{event.title}</Link>
        </Title>
        <p className="card-when">
          <time dateTime={event.startsLocal}>
            {longDay(locale, event.startsLocal)}
            {' · '}
            {event.allDay ? messages.event.allDay : timeOf(locale, event.startsLocal)}
          </time>
        </p>
        {place && <p className="card-place">{place}</p>}
        <p className="card-labels">
          <StateLabel event={event} />
          {event.cost?.text && <span className="price">{priceText(event.cost, locale, messages)}</span>}
        </p>
      </div>
    </article>
  )
}

export const CardSkeleton = () => (
  <div className="card skeleton" aria-hidden="true">
    <div className="card-picture" />
    <div className="card-text">
      <p className="bar" />
      <p className="bar wide" />
      <p className="bar" />
    </div>
  </div>
)
