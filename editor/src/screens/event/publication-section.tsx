import { Checkbox, Select, TextField } from '../../components/field.tsx'
import type { EventStatus } from '../../gql/graphql.ts'
import { useMessages } from '../../messages.ts'
import { useEventMessages } from './messages/messages.ts'
import { Section, type SectionProps } from './section.tsx'

interface Props extends SectionProps {
  readonly hasPassword: boolean
}

const eventStates = [
  'SCHEDULED',
  'CANCELLED',
  'POSTPONED',
  'RESCHEDULED',
  'MOVED_ONLINE',
] as const satisfies EventStatus[]

export function PublicationSection({ values, errors, isDisabled, onChange, hasPassword }: Props) {
  const messages = useMessages()
  const { publication: texts, more } = useEventMessages()
  const isMoreOpen = errors.password !== undefined || errors.publishedAt !== undefined
  return (
    <Section title={texts.section}>
      <Select
        label={texts.eventStatus}
        name="eventStatus"
        value={values.eventStatus}
        error={errors.eventStatus}
        disabled={isDisabled}
        onChange={({ target }) =>
          onChange({ eventStatus: eventStates.find((state) => state === target.value) ?? 'SCHEDULED' })
        }
      >
        {eventStates.map((state) => (
          <option key={state} value={state}>
            {messages.eventStatus[state]}
          </option>
        ))}
      </Select>
      <TextField
        label={texts.publishedAt}
        help={texts.publishedAtHelp}
        name="publishedAt"
        type="datetime-local"
        value={values.publishedAt}
        error={errors.publishedAt}
        disabled={isDisabled}
        onChange={({ target }) => onChange({ publishedAt: target.value })}
      />
      <details open={isMoreOpen || undefined}>
        <summary>{more}</summary>
        <div className="stack">
          <Checkbox
            label={texts.featured}
            checked={values.featured}
            disabled={isDisabled}
            onChange={({ target }) => onChange({ featured: target.checked })}
          />
          <Checkbox
            label={texts.hide}
            checked={values.hideFromListings}
            disabled={isDisabled}
            onChange={({ target }) => onChange({ hideFromListings: target.checked })}
          />
          <TextField
            label={texts.password}
            help={hasPassword ? texts.hasPassword : texts.passwordHelp}
            name="password"
            autoComplete="off"
            value={values.password ?? ''}
            error={errors.password}
            disabled={isDisabled || values.password === null}
            onChange={({ target }) => onChange({ password: target.value })}
          />
          {hasPassword && (
            <Checkbox
              label={texts.removePassword}
              checked={values.password === null}
              disabled={isDisabled}
              onChange={({ target }) => onChange({ password: target.checked ? null : '' })}
            />
          )}
        </div>
      </details>
    </Section>
  )
}
