import { Link, useSearchParams } from 'wouter'
import { Screen } from '../../components/screen.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useMessages } from '../../messages.ts'
import { Revisions } from './revisions.tsx'
import { useHistory } from './use-history.ts'

type HistoryPath = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

interface Props {
  readonly path: HistoryPath
  readonly databaseId: string
}

/** What was changed in a record, by whom, and how to go back. */
export function HistoryScreen({ path, databaseId }: Props) {
  const { history: texts } = useMessages()
  const { name, series } = useHistory(path, databaseId)
  const parts = ['date', 'series'] as const
  const [params] = useSearchParams()
  const part = params.get('part') === 'date' ? 'date' : 'series'
  return (
    <Screen title={name === undefined ? texts.title : texts.titleOf(name)}>
      <p>
        <Link href={`/${path}/${databaseId}`}>{texts.back}</Link>
      </p>
      {series === undefined ? (
        <Revisions path={path} databaseId={databaseId} />
      ) : (
        <>
          <Tabs
            label={texts.parts}
            names={parts}
            current={part}
            text={(name) => texts[name]}
            href={(name) => `/${path}/${databaseId}/history?part=${name}`}
          />
          {part === 'series' ? (
            <Revisions path="series" databaseId={series} key="series" />
          ) : (
            <Revisions path={path} databaseId={databaseId} key="date" />
          )}
        </>
      )}
    </Screen>
  )
}
