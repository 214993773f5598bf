import { useState } from 'react'
import { useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Loading } from '../../components/states.tsx'
import { FormImagesDocument } from '../../gql/graphql.ts'
import { useEventMessages } from './messages/messages.ts'
import { type Picture, readPicture } from './values.ts'

interface Props {
  readonly onClose: () => void
  readonly onChoose: (picture: Picture) => void
}

/** Pictures that were uploaded before, the newest first. */
export function PictureDialog({ onClose, onChoose }: Props) {
  const { picture: texts } = useEventMessages()
  const [search, setSearch] = useState('')
  const [after, setAfter] = useState<string>()
  const [{ data }] = useQuery({
    query: FormImagesDocument,
    variables: { search: search || undefined, after },
    requestPolicy: 'cache-and-network',
  })
  const pictures = data?.images
  return (
    <Dialog title={texts.libraryTitle} onClose={onClose}>
      <SearchField
        label={texts.search}
        value={search}
        onSearch={(text) => {
          setSearch(text)
          setAfter(undefined)
        }}
      />
      {!pictures && <Loading />}
      {pictures?.nodes.length === 0 && <p role="status">{texts.none}</p>}
      <ul className="pictures">
        {pictures?.nodes.map(readPicture).map((picture) => (
          <li key={picture.id}>
            <button type="button" onClick={() => onChoose(picture)}>
              <img src={picture.thumbnail} alt={picture.altText} loading="lazy" />
              <span>{picture.title}</span>
            </button>
          </li>
        ))}
      </ul>
      {pictures?.pageInfo.hasNextPage && (
        <div>
          <Button onClick={() => setAfter(pictures.pageInfo.endCursor ?? undefined)}>{texts.showMore}</Button>
        </div>
      )}
    </Dialog>
  )
}
