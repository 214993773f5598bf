import { lazy, Suspense, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox, Select, TextField } from '../../components/field.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useCategories } from '../../graphql/use-categories.ts'
import { languageName, useMessages } from '../../messages.ts'
import { contentLanguages, tagOf } from '../../site.ts'
import { eventStates, type FilterName, type Filters, recordStates, times } from './filters.ts'

const VenueFilter = lazy(() => import('./venue-filter.tsx').then(({ VenueFilter }) => ({ default: VenueFilter })))

interface Props {
  readonly filters: Filters
  readonly onChange: (name: FilterName, value: string) => void
  readonly onClear: () => void
}

export function FilterBar({ filters, onChange, onClear }: Props) {
  const { events: texts, recordStatus, eventStatus } = useMessages()
  const categories = useCategories()
  const [isOpen, setOpen] = useState(moreNames.some((name) => filters[name] !== ''))
  const [clearings, setClearings] = useState(0)
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <search className="filters" aria-label={texts.filters}>
      <SearchField
        label={texts.search}
        placeholder={texts.searchHelp}
        value={filters.search}
        onSearch={(text) => onChange('search', text)}
        key={clearings}
      />
      <Select
        label={texts.time}
        value={filters.time || 'upcoming'}
        onChange={({ target }) => onChange('time', target.value === 'upcoming' ? '' : target.value)}
      >
        {times.map((time) => (
          <option key={time} value={time}>
            {texts.times[time]}
          </option>
        ))}
      </Select>
      <Select label={texts.state} value={filters.state} onChange={({ target }) => onChange('state', target.value)}>
        <option value="">{texts.anyState}</option>
        {recordStates.map((state) => (
          <option key={state} value={state}>
            {recordStatus[state]}
          </option>
        ))}
        {eventStates.map((state) => (
          <option key={state} value={state}>
            {eventStatus[state]}
          </option>
        ))}
      </Select>
      <Select
        label={texts.category}
        value={filters.category}
        onChange={({ target }) => onChange('category', target.value)}
      >
        <option value="">{texts.anyCategory}</option>
        {categories?.map(({ databaseId, name }) => (
          <option key={databaseId} value={databaseId}>
            {name}
          </option>
        ))}
      </Select>
      <Button aria-expanded={isOpen} aria-controls="more-filters" className="more" onClick={() => setOpen(!isOpen)}>
        {texts.moreFilters}
      </Button>
      <div id="more-filters" className="filters" hidden={!isOpen}>
        {isOpen && <MoreFilters filters={filters} onChange={onChange} />}
      </div>
      {isFiltered && (
        <Button
          look="quiet"
          onClick={() => {
            setClearings(clearings + 1)
            onClear()
          }}
        >
          {texts.clear}
        </Button>
      )}
    </search>
  )
}

/** Filters that are needed less often, and whose venue field is large. */
const moreNames = ['venue', 'text', 'once'] as const satisfies FilterName[]

function MoreFilters({ filters, onChange }: Omit<Props, 'onClear'>) {
  const { events: texts } = useMessages()
  const languages = contentLanguages.map(tagOf)
  return (
    <>
      <Suspense fallback={<TextField label={texts.venue} disabled />}>
        <VenueFilter value={filters.venue} onChange={(value) => onChange('venue', value)} />
      </Suspense>
      {languages.length > 1 && (
        <Select label={texts.text} value={filters.text} onChange={({ target }) => onChange('text', target.value)}>
          <option value="">{texts.anyText}</option>
          {languages.map((tag) => (
            <option key={tag} value={`missing:${tag}`}>
              {texts.missing(languageName(tag))}
            </option>
          ))}
          {languages.map((tag) => (
            <option key={tag} value={`written:${tag}`}>
              {texts.written(languageName(tag))}
            </option>
          ))}
        </Select>
      )}
      <Checkbox
        label={texts.once}
        checked={filters.once !== ''}
        onChange={({ target }) => onChange('once', target.checked ? '1' : '')}
      />
    </>
  )
}
