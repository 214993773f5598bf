import { useState } from 'react'
import { useClient, useQuery } from 'urql'
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
  const client = useClient()
  const texts = useRecordMessages()
  const isNew = databaseId === 'new'
  const query = kindOf(name).record
  const variables = { id: databaseId }
  // The form begins with what the service has now.
  const requestPolicy = 'network-only'
  const [{ data, error }, retry] = useQuery({ query, variables, pause: isNew, requestPolicy })
  const [version, setVersion] = useState(0)
  const item = data?.record
  return (
    <Screen title={isNew ? texts.new[name] : (item?.name ?? '…')}>
      {error && !data && <Failure error={error} onRetry={() => retry({ requestPolicy })} />}
      {!isNew && !data && !error && <Loading />}
      {data && !item && <Empty>{texts.missing}</Empty>}
      {(isNew || item) && (
        <RecordForm
          name={name}
          loaded={item ?? undefined}
          onReload={async () => {
            await client.query(query, variables, { requestPolicy })
            setVersion(version + 1)
          }}
          key={`${item?.id} ${version}`}
        />
      )}
    </Screen>
  )
}
