import { useQuery } from 'urql'
import { Link } from 'wouter'
import { formatSpan } from '../../dates.ts'
import { LikelyDuplicatesDocument } from '../../gql/graphql.ts'
import { tagOf } from '../../site.ts'
import { useQueueMessages } from './messages/messages.ts'

/** Published events with a similar title around the day. */
export function Duplicates({ title, day }: { readonly title: string; readonly day: string }) {
  const texts = useQueueMessages()
  const [{ data }] = useQuery({ query: LikelyDuplicatesDocument, variables: { title, day } })
  const events = data?.similarEvents ?? []
  if (events.length === 0) return null
  return (
    <section className="duplicates">
      <p>{texts.duplicates}</p>
      <ul>
        {events.map(({ id, databaseId, contentLanguage: language, ...event }) => (
          <li key={id}>
            <Link href={`/events/${databaseId}`} lang={tagOf(language)}>
              {event.title}
            </Link>{' '}
            {[
              formatSpan(event.startsLocal, event.endsLocal, event.allDay ?? false),
              ...event.venues.map(({ name }) => name),
            ].join(' · ')}
          </li>
        ))}
      </ul>
    </section>
  )
}
