import { useState } from 'react'
import { useClient, useQuery } from 'urql'
import { Link } from 'wouter'
import { Screen } from '../../components/screen.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { TextsOfRecordDocument, type TextsOfRecordQuery, TranslationTasksDocument } from '../../gql/graphql.ts'
import { codeOf, contentLanguage, contentLanguages, tagOf } from '../../site.ts'
import { useTranslationMessages } from './messages/messages.ts'
import type { TranslatedRecord } from './save-translation.ts'
import { TranslationForm } from './translation-form.tsx'
import './translations.css'

interface Props {
  /** Global ID. */
  readonly recordId: string
  /** Tag of the language to translate into; by default one without a text. */
  readonly into: string | undefined
}

const isTranslated = (node: TextsOfRecordQuery['node'] | undefined): node is TranslatedRecord =>
  node !== null && node !== undefined && 'heading' in node

export function TranslateScreen({ recordId, into }: Props) {
  const client = useClient()
  const texts = useTranslationMessages()
  const variables = { id: recordId }
  // The form begins with what the service has now.
  const requestPolicy = 'network-only'
  const [{ data, error }, retry] = useQuery({ query: TextsOfRecordDocument, variables, requestPolicy })
  const record = isTranslated(data?.node) ? data.node : undefined
  const [version, setVersion] = useState(0)
  const written = record?.translations.map(({ language }) => language) ?? []
  const target =
    (into && codeOf(into)) ||
    contentLanguages.find((language) => !written.includes(language)) ||
    contentLanguages.find((language) => language !== contentLanguage) ||
    contentLanguage
  const next = useNext(recordId, target)
  return (
    <Screen title={record ? texts.title(record.heading) : '…'}>
      <p className="actions">
        <Link href={`/translations?language=${tagOf(target)}`}>{texts.back}</Link>
        {next && <Link href={next}>{texts.next}</Link>}
      </p>
      {error && !data && <Failure error={error} onRetry={() => retry({ requestPolicy })} />}
      {!data && !error && <Loading />}
      {data && !record && <Empty>{texts.missing}</Empty>}
      {record && (
        <TranslationForm
          loaded={record}
          target={target}
          next={next}
          onReload={async () => {
            await client.query(TextsOfRecordDocument, variables, { requestPolicy })
            setVersion(version + 1)
          }}
          key={`${record.id} ${target} ${version}`}
        />
      )}
    </Screen>
  )
}

/** The next record of the to-do list. */
function useNext(recordId: string, language: ReturnType<typeof codeOf>): string | undefined {
  const [{ data }] = useQuery({
    query: TranslationTasksDocument,
    variables: { filter: { languages: [language] } },
  })
  const ids = data?.translationTasks.nodes.flatMap(({ record }) => record?.id ?? []) ?? []
  const id = ids[ids.indexOf(recordId) + 1]
  if (id === undefined || id === recordId) return undefined
  return `/translations?record=${encodeURIComponent(id)}&language=${tagOf(language)}`
}
