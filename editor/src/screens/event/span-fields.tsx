import type { ReactNode } from 'react'
import { Checkbox, TextField } from '../../components/field.tsx'
import { useEventMessages } from './messages/messages.ts'
import { addDays, type Span } from './schedule.ts'

interface Props {
  readonly span: Span
  readonly allDay: boolean
  readonly onChange: (span: Span) => void
  readonly name?: string
  readonly error?: ReactNode
  readonly isDisabled?: boolean
}

/** A day with its times, or several days. */
export function SpanFields({ span, allDay, onChange, name, error, isDisabled }: Props) {
  const { dates: texts } = useEventMessages()
  const lastsDays = span.endDate !== ''
  const field = (key: keyof Span, label: string, type: 'date' | 'time', extra: object = {}) => (
    <TextField
      {...{ label, type, ...extra }}
      value={span[key]}
      disabled={isDisabled}
      onChange={({ target }) => onChange(withImplied(span, key, target.value))}
    />
  )
  return (
    <div className="span">
      {field('date', texts.date, 'date', { name, error, required: true })}
      {!allDay && field('from', texts.from, 'time')}
      {!allDay && field('to', texts.to, 'time', { help: endsNextDay(span) ? texts.nextDay : undefined })}
      <Checkbox
        label={texts.lastsDays}
        checked={lastsDays}
        disabled={isDisabled || span.date === ''}
        onChange={({ target }) => onChange({ ...span, endDate: target.checked ? addDays(span.date, 1) : '' })}
      />
      {lastsDays && field('endDate', texts.lastDay, 'date', { min: span.date })}
    </div>
  )
}

const endsNextDay = ({ from, to, endDate }: Span) => endDate === '' && to !== '' && to < from

/** The end follows the start: an hour later at first, then at the same distance. */
function withImplied(span: Span, key: keyof Span, value: string): Span {
  const next = { ...span, [key]: value }
  if (key === 'from' && value !== '') {
    const length = span.from !== '' && span.to > span.from ? minutesOf(span.to) - minutesOf(span.from) : 60
    if (span.to === '' || span.from !== '') return { ...next, to: timeOf(minutesOf(value) + length) }
  }
  if (key === 'date' && span.endDate !== '' && value > span.endDate) return { ...next, endDate: addDays(value, 1) }
  return next
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const timeOf = (minutes: number) =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
