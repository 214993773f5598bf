import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Loading } from '../../components/states.tsx'
import { FormImagesDocument } from '../../gql/graphql.ts'
import { useList } from '../../graphql/use-list.ts'
import { useEventMessages } from './messages/messages.ts'
import { type Picture, readPicture } from './picture.ts'

interface Props {
  readonly onClose: () => void
  readonly onChoose: (picture: Picture) => void
}

/** Pictures that were uploaded before, the newest first. */
export function PictureDialog({ onClose, onChoose }: Props) {
  const { picture: texts } = useEventMessages()
  const [search, setSearch] = useState('')
  const { list: pictures, showMore } = useList({
    query: FormImagesDocument,
    variables: { search: search || undefined },
    listOf: ({ images }) => images,
  })
  return (
    <Dialog title={texts.libraryTitle} onClose={onClose}>
      <SearchField label={texts.search} value={search} onSearch={setSearch} />
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
      {showMore && (
        <div>
          <Button onClick={showMore}>{texts.showMore}</Button>
        </div>
      )}
    </Dialog>
  )
}
