import { useState } from 'react'
import { useFilter } from 'react-aria-components'
import { useClient, useQuery } from 'urql'
import { Checkbox } from '../../components/field.tsx'
import { CreateFormTagDocument, TagOptionsDocument } from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useCategories } from '../../graphql/use-categories.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { CreationForm } from './creation-form.tsx'
import { useEventMessages } from './messages/messages.ts'
import { RecordPicker } from './record-picker.tsx'
import { PartError, Section, type SectionProps } from './section.tsx'
import type { Choice } from './values.ts'

/** More would be a long way to scroll, and are found by their name. */
const maxCheckboxes = 40

export function TermsSection(props: SectionProps) {
  const { terms: texts } = useEventMessages()
  const options = useCategories() ?? props.values.categories
  return (
    <Section title={texts.section}>
      {options.length > maxCheckboxes ? (
        <CategoryPicker {...props} options={options} />
      ) : (
        <CategoryCheckboxes {...props} options={options} />
      )}
      <TagPicker {...props} />
    </Section>
  )
}

interface CategoryProps extends SectionProps {
  readonly options: readonly Choice[]
}

function CategoryCheckboxes({ values: { categories }, errors, isDisabled, onChange, options }: CategoryProps) {
  const { terms: texts } = useEventMessages()
  return (
    <>
      {options.length > 0 && (
        <fieldset className="choices columns" disabled={isDisabled}>
          <legend>{texts.categories}</legend>
          {options.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={categories.some((each) => each.id === id)}
              onChange={({ target }) =>
                onChange({
                  categories: target.checked
                    ? [...categories, { id, name }]
                    : categories.filter((each) => each.id !== id),
                })
              }
            />
          ))}
        </fieldset>
      )}
      <PartError error={errors.categories} />
    </>
  )
}

function CategoryPicker({ values, errors, isDisabled, onChange, options }: CategoryProps) {
  const { category } = useMessages().events
  const { terms: texts } = useEventMessages()
  const [search, setSearch] = useState('')
  const { contains } = useFilter({ sensitivity: 'base' })
  return (
    <RecordPicker
      label={category}
      listLabel={texts.categories}
      chosen={values.categories}
      options={options.filter(({ name }) => contains(name, search)).map(({ id, name }) => ({ id, name }))}
      isLoading={false}
      error={errors.categories}
      isDisabled={isDisabled}
      onSearch={setSearch}
      onChange={(change) =>
        onChange(({ categories }) => ({ categories: change(categories).map(({ id, name }) => ({ id, name })) }))
      }
    />
  )
}

function TagPicker({ values, errors, isDisabled, onChange }: SectionProps) {
  const messages = useMessages()
  const { terms: texts, place } = useEventMessages()
  const client = useClient()
  const [search, setSearch] = useState('')
  const [{ data, fetching }] = useQuery({ query: TagOptionsDocument, variables: { search: search || undefined } })
  const canCreate = useRight('MANAGE_TAGS')
  return (
    <RecordPicker
      label={texts.tag}
      listLabel={texts.tags}
      help={texts.tagHelp}
      chosen={values.tags}
      options={(data?.tags.nodes ?? []).map(({ id, name }) => ({ id, name }))}
      isLoading={fetching}
      error={errors.tags}
      isDisabled={isDisabled}
      onSearch={setSearch}
      onChange={(change) => onChange(({ tags }) => ({ tags: change(tags) }))}
      creation={
        canCreate
          ? (start, done) => (
              <CreationForm
                title={texts.tag}
                fields={[{ name: 'name', label: place.name }]}
                start={{ name: start }}
                onCancel={() => done(undefined)}
                onCreate={async ({ name }) => {
                  const { data, error } = await client.mutation(CreateFormTagDocument, { input: { name } })
                  const tag = data?.createTag?.tag
                  if (tag) done({ id: tag.id, name: tag.name })
                  return problemOf(data?.createTag?.userErrors, error, messages)
                }}
              />
            )
          : undefined
      }
    />
  )
}
