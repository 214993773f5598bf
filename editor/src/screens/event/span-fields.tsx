import { type ReactNode, useState } from 'react'
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
  // The field of the last day stays while somebody writes it anew, when it is empty for a moment.
  const [isRewritten, setRewritten] = useState(false)
  const lastsDays = span.endDate !== '' || isRewritten
  const field = (key: keyof Span, label: string, type: 'date' | 'time', extra: object = {}) => (
    <TextField
      {...{ label, type, ...extra }}
      value={span[key]}
      disabled={isDisabled}
      onChange={({ target }) => {
        if (key === 'endDate') setRewritten(target.value === '')
        onChange(withImplied(span, key, target.value))
      }}
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
        onChange={({ target }) => {
          setRewritten(false)
          onChange({ ...span, endDate: target.checked ? addDays(span.date, 1) : '' })
        }}
      />
      {lastsDays && field('endDate', texts.lastDay, 'date', { min: span.date })}
    </div>
  )
}

const endsNextDay = ({ from, to, endDate }: Span) => endDate === '' && to !== '' && to < from

/** The end follows the start: an hour later at first, then at the same distance. On a day of its own it stays. */
function withImplied(span: Span, key: keyof Span, value: string): Span {
  const next = { ...span, [key]: value }
  if (key === 'from' && value !== '' && span.endDate === '') {
    if (span.from === '' && span.to === '') return { ...next, to: timeOf(minutesOf(value) + 60) }
    if (span.from !== '' && span.to !== '')
      return { ...next, to: timeOf(minutesOf(value) + minutesOf(span.to) - minutesOf(span.from)) }
  }
  if (key === 'date' && span.endDate !== '' && value > span.endDate) return { ...next, endDate: addDays(value, 1) }
  return next
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
/** Minutes after midnight, also of the day before or after. */
const timeOf = (minutes: number) =>
  [Math.floor(minutes / 60 + 24) % 24, (minutes + 1440) % 60].map((part) => String(part).padStart(2, '0')).join(':')
