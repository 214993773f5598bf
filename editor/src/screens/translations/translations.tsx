import { useQuery } from 'urql'
import { useSearchParams } from 'wouter'
import { Screen } from '../../components/screen.tsx'
import { Empty } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { formatNumber } from '../../dates.ts'
import { TranslationCountsDocument } from '../../gql/graphql.ts'
import { languageName, useMessages } from '../../messages.ts'
import { contentLanguages, tagOf } from '../../site.ts'
import { useTranslationMessages } from './messages/messages.ts'
import { TaskList } from './task-list.tsx'
import { TranslateScreen } from './translate.tsx'

/** What is to be translated into each language, or the texts of one record side by side. */
export function TranslationsScreen() {
  const [params] = useSearchParams()
  const record = params.get('record')
  const tags = contentLanguages.map(tagOf)
  const language = tags.find((tag) => tag === params.get('language'))
  if (record !== null) return <TranslateScreen recordId={record} into={language} key={`${record} ${language}`} />
  return <ToDo chosen={language} />
}

function ToDo({ chosen }: { readonly chosen: string | undefined }) {
  const messages = useMessages()
  const texts = useTranslationMessages()
  const [{ data }] = useQuery({ query: TranslationCountsDocument, requestPolicy: 'cache-and-network' })
  const count = (tag: string) =>
    (data?.translationTaskCounts ?? [])
      .filter(({ language }) => tagOf(language) === tag)
      .reduce((sum, { count }) => sum + count, 0)
  const tags = contentLanguages.map(tagOf)
  // The language with most to do.
  const current = chosen ?? tags.toSorted((a, b) => count(b) - count(a))[0] ?? 'en'
  if (tags.length < 2)
    return (
      <Screen title={messages.screens.translations}>
        <Empty>{texts.oneLanguage}</Empty>
      </Screen>
    )
  return (
    <Screen title={messages.screens.translations}>
      <Tabs
        label={texts.into}
        names={tags}
        current={current}
        text={(tag) => texts.tab(languageName(tag), formatNumber(count(tag)))}
        href={(tag) => `/translations?language=${tag}`}
      />
      <TaskList language={current} key={current} />
    </Screen>
  )
}
