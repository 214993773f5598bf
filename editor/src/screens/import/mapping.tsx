import { Checkbox, Select } from '../../components/field.tsx'
import type { LanguageCode } from '../../gql/graphql.ts'
import { languageName } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { contentLanguages, tagOf } from '../../site.ts'
import { required, targets } from './columns.ts'
import type { Settings } from './draft.ts'
import { useImportMessages } from './messages/messages.ts'

interface Props {
  readonly headings: readonly string[]
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
}

/** Says which column of the file is which field of the events. */
export function Mapping({ headings, settings, onChange }: Props) {
  const texts = useImportMessages()
  const mayCreateTags = useRight('MANAGE_TAGS')
  const mayCreateCategories = useRight('MANAGE_CATEGORIES')
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change })
  return (
    <section className="stack">
      <h2>{texts.mapping}</h2>
      <div className="mapping">
        {targets.map((target) => (
          <Select
            key={target}
            label={required.includes(target) ? texts.required(texts.targets[target]) : texts.targets[target]}
            value={settings.columns[target] ?? ''}
            onChange={({ target: { value } }) =>
              set({ columns: { ...settings.columns, [target]: value === '' ? undefined : Number(value) } })
            }
          >
            <option value="">{texts.noColumn}</option>
            {headings.map((heading, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a heading may occur twice, and columns do not move.
              <option key={index} value={index}>
                {heading || texts.unnamed(index + 1)}
              </option>
            ))}
          </Select>
        ))}
        <Select
          label={texts.dateOrder}
          value={settings.dateOrder}
          onChange={({ target }) => set({ dateOrder: target.value === 'monthFirst' ? 'monthFirst' : 'dayFirst' })}
        >
          <option value="dayFirst">{texts.dayFirst}</option>
          <option value="monthFirst">{texts.monthFirst}</option>
        </Select>
        <Select
          label={texts.language}
          value={settings.language}
          onChange={({ target }) => set({ language: target.value as LanguageCode })}
        >
          {contentLanguages.map((code) => (
            <option key={code} value={code}>
              {languageName(tagOf(code))}
            </option>
          ))}
        </Select>
      </div>
      {mayCreateTags && mayCreateCategories && (
        <Checkbox
          label={texts.createTerms}
          checked={settings.createsTerms}
          onChange={({ target }) => set({ createsTerms: target.checked })}
        />
      )}
    </section>
  )
}
