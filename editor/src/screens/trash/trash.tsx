import { useState } from 'react'
import { useClient, useQuery } from 'urql'
import { useSearchParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { Screen } from '../../components/screen.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatInstant } from '../../dates.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { type KindName, kindNames, kinds, type Trashed } from './kinds.ts'

export function TrashScreen() {
  const { trash: texts, screens } = useMessages()
  const [params] = useSearchParams()
  const kind = kindNames.find((name) => name === params.get('kind')) ?? 'events'
  return (
    <Screen title={texts.title}>
      <Tabs
        label={texts.kinds}
        names={kindNames}
        current={kind}
        text={(name) => screens[name]}
        href={(name) => `/trash?kind=${name}`}
      />
      <TrashList kind={kind} key={kind} />
    </Screen>
  )
}

function TrashList({ kind }: { readonly kind: KindName }) {
  const messages = useMessages()
  const { trash: texts } = messages
  const client = useClient()
  const toast = useToast()
  const [after, setAfter] = useState<string>()
  const [confirmed, setConfirmed] = useState<Trashed>()
  const { document, read, restore, remove } = kinds[kind]
  const [{ data, error }, retry] = useQuery({
    query: document,
    variables: after === undefined ? {} : { after },
    requestPolicy: 'cache-and-network',
  })
  if (error && !data) return <Failure error={error} onRetry={() => retry({ requestPolicy: 'network-only' })} />
  if (!data) return <Loading />
  const { rows, next } = read(data)

  async function change(row: Trashed, action: typeof restore, done: (name: string) => string) {
    const written = await action(client, row.input)
    const problem = problemOf(written.userErrors, written.error, messages)
    toast(problem === undefined ? { text: done(row.name) } : { text: `${row.name}: ${problem}`, isError: true })
    setAfter(undefined)
    retry({ requestPolicy: 'network-only' })
  }

  if (rows.length === 0)
    return (
      <Empty>
        <p>{texts.empty}</p>
      </Empty>
    )
  return (
    <>
      <ul className="items">
        {rows.map((row) => (
          <li key={row.key}>
            <div>
              <b>{row.name}</b>
              <div className="soft">
                {[row.detail, texts.since(formatInstant(row.modifiedAt))].filter(Boolean).join(' · ')}
              </div>
            </div>
            <div className="actions">
              {row.canRestore && (
                <Button onClick={() => change(row, restore, texts.restored)} about={row.name}>
                  {texts.restore}
                </Button>
              )}
              {row.canDelete && (
                <Button look="danger" onClick={() => setConfirmed(row)} about={row.name}>
                  {texts.delete}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {next !== undefined && <Button onClick={() => setAfter(next)}>{messages.more}</Button>}
      {confirmed && (
        <ConfirmDialog
          title={texts.deleteOne(confirmed.name)}
          text={texts.confirm}
          action={texts.delete}
          onClose={() => setConfirmed(undefined)}
          onConfirm={() => {
            setConfirmed(undefined)
            void change(confirmed, remove, texts.deleted)
          }}
        />
      )}
    </>
  )
}
