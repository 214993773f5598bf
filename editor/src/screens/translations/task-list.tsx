import { Link, useSearchParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/field.tsx'
import { Empty, Failure, Loading } from '../../components/states.tsx'
import { formatNumber } from '../../dates.ts'
import { type TranslationTaskState, TranslationTasksDocument } from '../../gql/graphql.ts'
import { useList } from '../../graphql/use-list.ts'
import { languageName, nameIn, useMessages } from '../../messages.ts'
import { codeOf, tagOf } from '../../site.ts'
import { useTranslationMessages } from './messages/messages.ts'

const states = ['MISSING', 'OUTDATED', 'IN_REVIEW'] as const satisfies TranslationTaskState[]

export function TaskList({ language }: { readonly language: string }) {
  const messages = useMessages()
  const texts = useTranslationMessages()
  const [params, setParams] = useSearchParams()
  const state = states.find((name) => name === params.get('state'))
  const { list, error, retry, showMore } = useList({
    query: TranslationTasksDocument,
    variables: { filter: { languages: [codeOf(language)], ...(state && { states: [state] }) } },
    listOf: ({ translationTasks }) => translationTasks,
  })
  return (
    <>
      <Select
        label={texts.state}
        value={state ?? ''}
        onChange={({ target }) =>
          setParams({ language, ...(target.value && { state: target.value }) }, { replace: true })
        }
      >
        <option value="">{texts.anyState}</option>
        {states.map((name) => (
          <option key={name} value={name}>
            {texts.states[name]}
          </option>
        ))}
      </Select>
      {error && <Failure error={error} onRetry={retry} />}
      {!list && !error && <Loading />}
      {list && (
        <p className="soft" role="status">
          {texts.found(formatNumber(list.totalCount))}
        </p>
      )}
      {list?.totalCount === 0 && <Empty>{texts.done}</Empty>}
      {list && list.nodes.length > 0 && (
        <ul className="items">
          {list.nodes.map(({ id, kind, state, sourceLanguage, record }) => (
            <li key={id}>
              <div>
                {record && 'heading' in record && (
                  <Link href={`/translations?record=${encodeURIComponent(record.id)}&language=${language}`}>
                    {record.heading}
                  </Link>
                )}
                <div className="soft">
                  {[nameIn(texts.kinds, kind), sourceLanguage && languageName(tagOf(sourceLanguage))]
                    .filter(Boolean)
                    .join(' · ')}
                </div>
              </div>
              <span className="badge" title={texts.stateHelp[state]}>
                {texts.states[state]}
              </span>
            </li>
          ))}
        </ul>
      )}
      {showMore && <Button onClick={showMore}>{messages.more}</Button>}
    </>
  )
}
