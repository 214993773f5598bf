import { useState } from 'react'
import { useQuery } from 'urql'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Screen } from '../../components/screen.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { formatNumber } from '../../dates.ts'
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
  const [after, setAfter] = useState<string>()
  const [{ data, error }, retry] = useQuery({
    query: kind.list,
    variables: { search: search || undefined, after },
    requestPolicy: 'cache-and-network',
  })
  const list = data?.list
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
      <SearchField
        label={texts.search}
        value={search}
        onSearch={(text) => {
          setSearch(text)
          setAfter(undefined)
        }}
      />
      {error && !list && <Failure error={error} onRetry={() => retry({ requestPolicy: 'network-only' })} />}
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
      {list?.pageInfo.hasNextPage && (
        <Button onClick={() => setAfter(list.pageInfo.endCursor ?? undefined)}>{messages.more}</Button>
      )}
    </Screen>
  )
}
