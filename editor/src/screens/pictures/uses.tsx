import { Link } from 'wouter'
import type { PictureRowFragment } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import { usePictureMessages } from './messages/messages.ts'

/** Links to the records that show a picture, as far as the viewer may see them. */
export function Uses({ picture: { events, venues, organizers } }: { readonly picture: PictureRowFragment }) {
  const messages = useMessages()
  const texts = usePictureMessages()
  const shown = [
    ...events.nodes.map(({ title, ...event }) => ({ ...event, name: title, list: '/events' })),
    ...venues.nodes.map((venue) => ({ ...venue, list: '/venues' })),
    ...organizers.nodes.map((organizer) => ({ ...organizer, list: '/organizers' })),
  ]
  const others = events.totalCount + venues.totalCount + organizers.totalCount - shown.length
  if (shown.length === 0) return null
  return (
    <div className="picture-uses">
      {texts.usedBy}
      <ul>
        {shown.map(({ id, databaseId, name, status, list }) => (
          <li key={id}>
            {status === 'TRASH' ? (
              <>
                {name} <Link href="/trash">({messages.recordStatus.TRASH})</Link>
              </>
            ) : (
              <Link href={`${list}/${databaseId}`}>{name}</Link>
            )}
          </li>
        ))}
        {others > 0 && <li className="soft">{texts.others(others)}</li>}
      </ul>
    </div>
  )
}
