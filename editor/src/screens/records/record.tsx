import { useQuery } from 'urql'
import { Screen } from '../../components/screen.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { type KindName, kindOf } from './kinds.ts'
import { useRecordMessages } from './messages/messages.ts'
import { RecordForm } from './record-form.tsx'
import './records.css'

interface Props {
  readonly kind: KindName
  /** `new` for a new record. */
  readonly databaseId: string
}

/** A venue, organizer, category or tag to change, or a new one. */
export function RecordScreen({ kind: name, databaseId }: Props) {
  const texts = useRecordMessages()
  const isNew = databaseId === 'new'
  const [{ data, error }, retry] = useQuery({
    query: kindOf(name).record,
    variables: { id: databaseId },
    pause: isNew,
    requestPolicy: 'cache-and-network',
  })
  const reload = () => retry({ requestPolicy: 'network-only' })
  const item = data?.record
  return (
    <Screen title={isNew ? texts.new[name] : (item?.name ?? '…')}>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!isNew && !data && !error && <Loading />}
      {data && !item && <Empty>{texts.missing}</Empty>}
      {(isNew || item) && (
        // Another version of the record starts the form anew.
        <RecordForm name={name} item={item ?? undefined} onReload={reload} key={item?.modifiedAt ?? databaseId} />
      )}
    </Screen>
  )
}
