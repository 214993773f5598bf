import { formatInstant, formatSpan } from '../../dates.ts'
import type { ScheduleInput } from '../../gql/graphql.ts'
import { type Messages, useMessages } from '../../messages.ts'
import { ScheduleText } from './schedule-text.tsx'
import { isLinkField, type LinkedNames } from './use-linked-names.ts'

interface Props {
  readonly field: string
  readonly value: unknown
  readonly names: LinkedNames
}

/** A value of a revision as people read it. */
export function ValueText(props: Props) {
  const messages = useMessages()
  if (props.field === 'schedule' && props.value) return <ScheduleText schedule={props.value as ScheduleInput} />
  return textOf(props, messages) || '–'
}

function textOf({ field, value, names }: Props, messages: Messages): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? messages.yes : messages.no
  if (Array.isArray(value)) {
    const texts = value.map((item) =>
      isLinkField(field) && typeof item === 'number'
        ? (names[field].get(item) ?? `#${item}`)
        : textOf({ field: '', value: item, names }, messages),
    )
    return texts.filter(Boolean).join(', ')
  }
  if (typeof value === 'object') {
    return Object.values(value)
      .map((item) => textOf({ field: '', value: item, names }, messages))
      .filter(Boolean)
      .join(', ')
  }
  const text = String(value)
  if (field === 'publishedAt') return formatInstant(text)
  if (field === 'author') return names.users.get(Number(text)) ?? `#${text}`
  if (field === 'attendanceMode') return knownText(messages.attendanceModes, text)
  if (field === 'startsLocal' || field === 'endsLocal') return formatSpan(text, text, false)
  if (field === 'status' || field === 'eventStatus')
    return knownText(messages[field === 'status' ? 'recordStatus' : field], text)
  return new DOMParser().parseFromString(text, 'text/html').body.textContent
}

const knownText = (texts: Readonly<Record<string, string>>, value: string): string => texts[value] ?? value
