import { Link } from 'wouter'
import type { PictureRowFragment } from '../../gql/graphql.ts'
import { usePictureMessages } from './messages/messages.ts'

/** Links to the records that show a picture, as far as the viewer may see them. */
export function Uses({ picture: { events, venues, organizers } }: { readonly picture: PictureRowFragment }) {
  const texts = usePictureMessages()
  const shown = [
    ...events.nodes.map(({ id, databaseId, title }) => ({ id, name: title, href: `/events/${databaseId}` })),
    ...venues.nodes.map(({ id, databaseId, name }) => ({ id, name, href: `/venues/${databaseId}` })),
    ...organizers.nodes.map(({ id, databaseId, name }) => ({ id, name, href: `/organizers/${databaseId}` })),
  ]
  const others = events.totalCount + venues.totalCount + organizers.totalCount - shown.length
  if (shown.length === 0) return null
  return (
    <div className="picture-uses">
      {texts.usedBy}
      <ul>
        {shown.map(({ id, name, href }) => (
          <li key={id}>
            <Link href={href}>{name}</Link>
          </li>
        ))}
        {others > 0 && <li className="soft">{texts.others(others)}</li>}
      </ul>
    </div>
  )
}
