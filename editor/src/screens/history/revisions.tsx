import { useMemo } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatInstant } from '../../dates.ts'
import {
  type LanguageCode,
  RestoreRevisionDocument,
  type RestoreRevisionInput,
  type RevisionPageFragment,
} from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { languageName, useMessages } from '../../messages.ts'
import { tagOf } from '../../site.ts'
import { type HistoryKind, histories, useHistory } from './use-history.ts'
import { useLinkedNames } from './use-linked-names.ts'
import { ValueText } from './value-text.tsx'
import './history.css'

type Revision = RevisionPageFragment['nodes'][number]
type Change = Revision['changes'][number]

interface Props {
  readonly path: HistoryKind
  readonly databaseId: string
}

export function Revisions({ path, databaseId }: Props) {
  const messages = useMessages()
  const { history: texts } = messages
  const client = useClient()
  const toast = useToast()
  const { revisions, isMissing, error, reload, loadMore } = useHistory(path, databaseId)
  const names = useLinkedNames(useMemo(() => revisions ?? [], [revisions]))
  if (error && !revisions) return <Failure error={error} onRetry={reload} />
  if (isMissing) return <Empty>{messages.errors.NOT_FOUND}</Empty>
  if (!revisions) return <Loading />
  if (revisions.length === 0) return <Empty>{texts.empty}</Empty>

  async function restore(input: Omit<RestoreRevisionInput, 'id' | 'kind'>, done: string) {
    const { data, error: failure } = await client.mutation(RestoreRevisionDocument, {
      input: { kind: histories[path].kind, id: databaseId, ...input },
    })
    const userErrors = data?.restoreRevision?.userErrors ?? []
    const refused = userErrors.flatMap(({ path: [, field, language] }) => (field ? nameOf(field, language) : []))
    const problem =
      refused.length > 0
        ? `${[...new Set(refused)].join(', ')} — ${messages.wrongValues.revisionId}`
        : problemOf(userErrors, failure, messages)
    toast(problem === undefined ? { text: done } : { text: problem, isError: true })
    reload()
  }
  /** Gives one field what it had before a revision: what it had after the one before. */
  const takeBack = ({ field, language }: Change, revisionId: string) =>
    restore(
      { revisionId, fields: [field], ...(language && { languages: [language] }) },
      texts.takenBack(fieldText(field)),
    )
  const fieldText = (field: string): string => texts.fields[field as keyof typeof texts.fields] ?? field
  const nameOf = (field: string, language: string | null | undefined) =>
    language ? `${fieldText(field)} (${languageName(tagOf(language as LanguageCode))})` : fieldText(field)

  return (
    <>
      <ol className="revisions">
        {revisions.map((revision, index) => {
          // The creation of a date is a revision of its series.
          const before = revisions[index + 1]?.id ?? (loadMore ? undefined : '0')
          const when = formatInstant(revision.createdAt)
          return (
            <li key={revision.id}>
              <div className="revision-head">
                <h2>
                  {texts.actions[revision.action]} <span className="soft">{when}</span>
                </h2>
                <p className="soft">{revision.user?.name ?? texts.nobody}</p>
                {index > 0 && (
                  <Button onClick={() => restore({ revisionId: revision.id }, texts.restored(when))} about={when}>
                    {texts.restore}
                  </Button>
                )}
              </div>
              <ul className="changes">
                {revision.changes.map((change) => (
                  <li key={`${change.field} ${change.language}`}>
                    <h3>{nameOf(change.field, change.language)}</h3>
                    <div className="values">
                      {revision.action !== 'CREATED' && (
                        <del>
                          <ValueText field={change.field} value={change.before} names={names} />
                        </del>
                      )}
                      <ins>
                        <ValueText field={change.field} value={change.after} names={names} />
                      </ins>
                    </div>
                    {before && revision.action === 'UPDATED' && (
                      <Button
                        look="quiet"
                        about={`${fieldText(change.field)}, ${when}`}
                        onClick={() => takeBack(change, before)}
                      >
                        {texts.takeBack}
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            </li>
          )
        })}
      </ol>
      {loadMore && <Button onClick={loadMore}>{messages.more}</Button>}
    </>
  )
}
