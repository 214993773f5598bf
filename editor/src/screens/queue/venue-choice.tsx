import { useQuery } from 'urql'
import { Select } from '../../components/field.tsx'
import { VenueOptionsDocument } from '../../gql/graphql.ts'
import { useQueueMessages } from './messages/messages.ts'

interface Props {
  /** The proposed name. */
  readonly name: string
  /** ID of another venue. */
  readonly value: string | undefined
  readonly onChange: (id: string | undefined) => void
}

/** The place of an accepted proposal: visitors often call a venue by another name than the calendar. */
export function VenueChoice({ name, value, onChange }: Props) {
  const texts = useQueueMessages()
  // The longest word finds “Town library” for “the library”.
  const word = name.split(/\s+/).toSorted((one, other) => other.length - one.length)[0]
  const [{ data }] = useQuery({ query: VenueOptionsDocument, variables: { search: word } })
  const others = (data?.venues.nodes ?? []).filter((venue) => venue.name.toLowerCase() !== name.toLowerCase())
  if (others.length === 0) return null
  return (
    <Select
      label={texts.venue}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{texts.venueNamed(name)}</option>
      {others.map((venue) => (
        <option key={venue.id} value={venue.id}>
          {[venue.name, venue.city].filter(Boolean).join(', ')}
        </option>
      ))}
    </Select>
  )
}
