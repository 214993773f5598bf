import { useState } from 'react'
import { useClient, useQuery } from 'urql'
import { toWebsite } from '../../address.ts'
import { RadioGroup, TextField } from '../../components/field.tsx'
import {
  CreateFormOrganizerDocument,
  CreateFormVenueDocument,
  OrganizerOptionsDocument,
  VenueOptionsDocument,
} from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { CreationForm } from './creation-form.tsx'
import { useEventMessages } from './messages/messages.ts'
import { RecordPicker } from './record-picker.tsx'
import { Section, type SectionProps } from './section.tsx'
import type { Choice } from './values.ts'

export function PlaceSection(props: SectionProps) {
  const { values, errors, isDisabled, onChange } = props
  const { place: texts } = useEventMessages()
  const { attendanceModes } = useMessages()
  const { attendanceMode } = values
  return (
    <Section title={texts.section}>
      {attendanceMode !== 'ONLINE' && <VenuePicker {...props} />}
      <RadioGroup
        label={texts.mode}
        look="switch"
        options={(['OFFLINE', 'ONLINE', 'MIXED'] as const).map((value) => ({ value, label: attendanceModes[value] }))}
        value={attendanceMode}
        disabled={isDisabled}
        onChange={(mode) => onChange({ attendanceMode: mode })}
      />
      {attendanceMode !== 'OFFLINE' && (
        <TextField
          label={texts.onlineUrl}
          name="onlineUrl"
          type="url"
          placeholder="https://"
          value={values.onlineUrl}
          error={errors.onlineUrl}
          disabled={isDisabled}
          onChange={({ target }) => onChange({ onlineUrl: target.value })}
        />
      )}
      <OrganizerPicker {...props} />
    </Section>
  )
}

function VenuePicker({ values, errors, isDisabled, onChange }: SectionProps) {
  const { place: texts } = useEventMessages()
  const [search, setSearch] = useState('')
  const [{ data, fetching }] = useQuery({ query: VenueOptionsDocument, variables: { search: search || undefined } })
  const canWrite = useRight('WRITE')
  return (
    <RecordPicker
      label={texts.venue}
      listLabel={texts.venues}
      help={texts.venueHelp}
      chosen={values.venues}
      options={(data?.venues.nodes ?? []).map(({ id, name, city }) => ({ id, name, detail: city }))}
      isLoading={fetching}
      error={errors.venues}
      isDisabled={isDisabled}
      onSearch={setSearch}
      onChange={(change) => onChange(({ venues }) => ({ venues: change(venues) }))}
      creation={canWrite ? (name, done) => <NewVenue name={name} onDone={done} /> : undefined}
    />
  )
}

interface NewProps {
  readonly name: string
  readonly onDone: (created: Choice | undefined) => void
}

function NewVenue({ name, onDone }: NewProps) {
  const messages = useMessages()
  const { place: texts } = useEventMessages()
  const client = useClient()
  return (
    <CreationForm
      title={texts.newVenue}
      fields={(['name', 'address', 'zip', 'city'] as const).map((field) => ({ name: field, label: texts[field] }))}
      start={{ name, address: '', zip: '', city: '' }}
      onCancel={() => onDone(undefined)}
      onCreate={async (values) => {
        const { data, error } = await client.mutation(CreateFormVenueDocument, {
          input: { ...values, status: 'PUBLISHED' },
        })
        const venue = data?.createVenue?.venue
        if (venue) onDone({ id: venue.id, name: venue.name, detail: venue.city })
        return problemOf(data?.createVenue?.userErrors, error, messages)
      }}
    />
  )
}

function OrganizerPicker({ values, errors, isDisabled, onChange }: SectionProps) {
  const { place: texts } = useEventMessages()
  const [search, setSearch] = useState('')
  const [{ data, fetching }] = useQuery({ query: OrganizerOptionsDocument, variables: { search: search || undefined } })
  const canWrite = useRight('WRITE')
  return (
    <RecordPicker
      label={texts.organizer}
      listLabel={texts.organizers}
      chosen={values.organizers}
      options={(data?.organizers.nodes ?? []).map(({ id, name }) => ({ id, name }))}
      isLoading={fetching}
      error={errors.organizers}
      isDisabled={isDisabled}
      onSearch={setSearch}
      onChange={(change) => onChange(({ organizers }) => ({ organizers: change(organizers) }))}
      creation={canWrite ? (name, done) => <NewOrganizer name={name} onDone={done} /> : undefined}
    />
  )
}

function NewOrganizer({ name, onDone }: NewProps) {
  const messages = useMessages()
  const { place: texts } = useEventMessages()
  const client = useClient()
  return (
    <CreationForm
      title={texts.newOrganizer}
      fields={(['name', 'website'] as const).map((field) => ({ name: field, label: texts[field] }))}
      start={{ name, website: '' }}
      onCancel={() => onDone(undefined)}
      onCreate={async ({ name, website }) => {
        const { data, error } = await client.mutation(CreateFormOrganizerDocument, {
          input: { name, ...(website && { website: toWebsite(website) }), status: 'PUBLISHED' },
        })
        const organizer = data?.createOrganizer?.organizer
        if (organizer) onDone({ id: organizer.id, name: organizer.name })
        return problemOf(data?.createOrganizer?.userErrors, error, messages)
      }}
    />
  )
}
