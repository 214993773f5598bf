import { useState } from 'react'
import { useQuery } from 'urql'
import { Button } from '../../components/button.tsx'
import { Failure, Loading } from '../../components/states.tsx'
import { ImportTermsDocument } from '../../gql/graphql.ts'
import { contentLanguage } from '../../site.ts'
import { guessColumns, required } from './columns.ts'
import { cellOf, type Settings, splitNames, toDraft } from './draft.ts'
import { DraftTable } from './draft-table.tsx'
import { Mapping } from './mapping.tsx'
import { useImportMessages } from './messages/messages.ts'
import type { Sheet } from './read-sheet.ts'
import { Report } from './report.tsx'
import { useImport } from './use-import.ts'

/** How many different names the service looks up at once. */
const maxNames = 100

/** What the columns mean, what the rows become, and the import itself. */
export function Preview({ sheet: { headings, rows } }: { readonly sheet: Sheet }) {
  const texts = useImportMessages()
  const [settings, setSettings] = useState<Settings>(() => ({
    ...{ columns: guessColumns(headings), dateOrder: 'dayFirst', language: contentLanguage, createsTerms: false },
  }))
  const { progress, start } = useImport()
  const namesOf = (target: 'categories' | 'tags') =>
    [...new Set(rows.flatMap((row) => splitNames(cellOf(row, settings, target))))].slice(0, maxNames)
  const [{ data, error }, retry] = useQuery({
    query: ImportTermsDocument,
    pause: progress !== undefined,
    variables: { categories: namesOf('categories'), tags: namesOf('tags') },
  })
  if (progress) return <Report progress={progress} />
  if (error) return <Failure error={error} onRetry={() => retry({ requestPolicy: 'network-only' })} />
  if (!data) return <Loading />

  const known = { categories: idsByName(data.categories.nodes), tags: idsByName(data.tags.nodes) }
  const missing = required.filter((target) => settings.columns[target] === undefined)
  const drafts = missing.length > 0 ? [] : rows.map((row) => toDraft(row, settings, known))
  const good = drafts.filter(({ problems }) => problems.length === 0)
  return (
    <>
      <Mapping headings={headings} settings={settings} onChange={setSettings} />
      {missing.length > 0 ? (
        <p className="notice">{texts.missing(missing.map((target) => texts.targets[target]).join(', '))}</p>
      ) : (
        <DraftTable drafts={drafts} />
      )}
      <div className="actions import-bar">
        <p role="status">{texts.count(good.length, drafts.length - good.length)}</p>
        <Button look="primary" disabled={good.length === 0} onClick={() => start(good, settings.language)}>
          {texts.start(good.length)}
        </Button>
      </div>
    </>
  )
}

type Term = Readonly<Record<'id' | 'name' | 'slug', string>>

const idsByName = (terms: readonly Term[]): Map<string, string> =>
  new Map(terms.flatMap(({ id, name, slug }) => [[slug.toLowerCase(), id] as const, [name.toLowerCase(), id] as const]))
