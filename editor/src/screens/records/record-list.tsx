import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Screen } from '../../components/screen.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { formatNumber } from '../../dates.ts'
import { useList } from '../../graphql/use-list.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { Duplicates } from './duplicates.tsx'
import { detailOf, type KindName, kindOf } from './kinds.ts'
import { useRecordMessages } from './messages/messages.ts'

/** Venues, organizers, categories or tags, with those that may be the same. */
export function RecordListScreen({ kind: name }: { readonly kind: KindName }) {
  const messages = useMessages()
  const texts = useRecordMessages()
  const kind = kindOf(name)
  const canCreate = useRight(kind.right)
  const canMerge = useRight(kind.mergeRight)
  const [search, setSearch] = useState('')
  const { list, error, retry, showMore } = useList({
    query: kind.list,
    variables: { search: search || undefined },
    listOf: (data) => data.list,
  })
  return (
    <Screen
      title={messages.screens[name]}
      actions={
        canCreate && (
          <Link href={`/${name}/new`} className="button primary">
            {texts.new[name]}
          </Link>
        )
      }
    >
      {canMerge && <Duplicates kind={kind} />}
      <SearchField label={texts.search} value={search} onSearch={setSearch} />
      {error && <Failure error={error} onRetry={retry} />}
      {!list && !error && <Loading />}
      {list && (
        <p className="soft" role="status">
          {texts.found(formatNumber(list.totalCount))}
        </p>
      )}
      {list?.totalCount === 0 && (
        <Empty>
          <p>{texts.none}</p>
        </Empty>
      )}
      {list && list.nodes.length > 0 && (
        <ul className="items">
          {list.nodes.map((item) => (
            <li key={item.id}>
              <div>
                <Link href={`/${name}/${item.databaseId}`}>{item.name}</Link>
                <div className="soft">{detailOf(item)}</div>
              </div>
              {item.count !== undefined && <span className="soft">{texts.events(formatNumber(item.count))}</span>}
            </li>
          ))}
        </ul>
      )}
      {showMore && <Button onClick={showMore}>{messages.more}</Button>}
    </Screen>
  )
}
