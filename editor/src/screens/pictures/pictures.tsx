import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/field.tsx'
import { Screen } from '../../components/screen.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { type ImageFilter, type PictureRowFragment, PicturesDocument } from '../../gql/graphql.ts'
import { useList } from '../../graphql/use-list.ts'
import { useRight } from '../../session.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { usePictureMessages } from './messages/messages.ts'
import { UploadButton } from './upload-button.tsx'
import { Uses } from './uses.tsx'
import '../../styles/cards.css'
import './pictures.css'

const filters = {
  all: {},
  missing: { missingAltText: true },
  unused: { used: false },
} as const satisfies Record<string, ImageFilter>
type FilterName = keyof typeof filters
const filterNames = Object.keys(filters) as FilterName[]

export function PicturesScreen() {
  const texts = usePictureMessages()
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<FilterName>('all')
  const [asked, setAsked] = useState<{ readonly picture: PictureRowFragment; readonly action: 'edit' | 'delete' }>()
  const canUpload = useRight('UPLOAD')
  const { list, error, retry, showMore } = useList({
    query: PicturesDocument,
    variables: { filter: { ...filters[filter], search: search || undefined } },
    listOf: ({ images }) => images,
  })
  return (
    <Screen title={texts.title} actions={canUpload && <UploadButton />}>
      <search className="picture-filters">
        <SearchField label={texts.search} placeholder={texts.searchHelp} value={search} onSearch={setSearch} />
        <Select
          label={texts.filter}
          value={filter}
          onChange={({ target }) => setFilter(filterNames.find((name) => name === target.value) ?? 'all')}
        >
          {filterNames.map((name) => (
            <option key={name} value={name}>
              {texts.filters[name]}
            </option>
          ))}
        </Select>
      </search>
      {error && <Failure error={error} onRetry={retry} />}
      {!list && !error && <Loading />}
      {list && (
        <p className="soft" role="status">
          {texts.count(list.totalCount)}
        </p>
      )}
      {list?.nodes.length === 0 && (
        <Empty>
          <p>{texts.none}</p>
        </Empty>
      )}
      <ul className="picture-grid">
        {list?.nodes.map((picture) => (
          <PictureCard key={picture.id} picture={picture} onAsk={(action) => setAsked({ picture, action })} />
        ))}
      </ul>
      {showMore && (
        <div>
          <Button onClick={showMore}>{texts.more}</Button>
        </div>
      )}
      {asked?.action === 'edit' && <EditDialog picture={asked.picture} onClose={() => setAsked(undefined)} />}
      {asked?.action === 'delete' && <DeleteDialog picture={asked.picture} onClose={() => setAsked(undefined)} />}
    </Screen>
  )
}

interface CardProps {
  readonly picture: PictureRowFragment
  readonly onAsk: (action: 'edit' | 'delete') => void
}

function PictureCard({ picture, onAsk }: CardProps) {
  const texts = usePictureMessages()
  const { title, altText, decorative, url, sizes, width, height, viewerCanUpdate, viewerCanDelete } = picture
  return (
    <li className="picture-card">
      <img src={sizes.find(({ name }) => name === 'medium')?.url ?? url} alt={altText} loading="lazy" />
      <b>{title}</b>
      <span className="soft">{width && height && `${width} × ${height}`}</span>
      {altText && <span>{altText}</span>}
      {decorative && <span className="soft">{texts.isDecorative}</span>}
      {!altText && !decorative && <span className="badge warning">{texts.noAlt}</span>}
      <Uses picture={picture} />
      <div className="actions">
        {viewerCanUpdate && (
          <Button about={title} onClick={() => onAsk('edit')}>
            {texts.edit}
          </Button>
        )}
        {viewerCanDelete && (
          <Button look="quiet" about={title} onClick={() => onAsk('delete')}>
            {texts.delete}
          </Button>
        )}
      </div>
    </li>
  )
}
