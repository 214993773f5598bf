import { useState } from 'react'
import { useQuery } from 'urql'
import { ComboBox } from '../../components/combo-box.tsx'
import { VenueNameDocument, VenueOptionsDocument } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'

interface Props {
  /** databaseId of a venue; empty for any. */
  readonly value: string
  readonly onChange: (value: string) => void
}

export function VenueFilter({ value, onChange }: Props) {
  const { events: texts } = useMessages()
  const [{ data: chosen }] = useQuery({ query: VenueNameDocument, variables: { id: value }, pause: value === '' })
  const [typed, setTyped] = useState<string>()
  const [{ data, fetching }] = useQuery({ query: VenueOptionsDocument, variables: { search: typed || undefined } })
  // The last suggestions stay until the next ones arrive.
  const [shown, setShown] = useState(data)
  if (data && data !== shown) setShown(data)
  const name = value === '' ? '' : (chosen?.venue?.name ?? '')
  return (
    <ComboBox
      label={texts.venue}
      placeholder={texts.anyVenue}
      options={(shown?.venues.nodes ?? []).map(({ databaseId, name, city }) => ({
        id: String(databaseId),
        name,
        detail: city,
      }))}
      text={typed ?? name}
      onType={(text) => {
        setTyped(text)
        if (text === '' && value !== '') onChange('')
      }}
      onChoose={({ id }) => {
        setTyped(undefined)
        onChange(id)
      }}
      allowsOwnText
      isLoading={fetching}
    />
  )
}
