import { useState } from 'react'
import { Checkbox, RadioGroup, Select, TextField } from '../../components/field.tsx'
import { weekdayName } from '../../dates.ts'
import { useEventMessages } from './messages/messages.ts'
import { isInLastWeek, type Repeat, units, weekdayOf, weekdays, weekInMonth } from './schedule.ts'

interface Props {
  readonly repeat: Repeat
  /** The first day; empty if it is not chosen yet. */
  readonly first: string
  readonly isDisabled: boolean
  readonly onChange: (part: Partial<Repeat>) => void
}

/** The rule by which an event repeats, in simple choices. */
export function RepeatFields({ repeat, first, isDisabled, onChange }: Props) {
  const { dates: texts } = useEventMessages()
  const { unit, every, end } = repeat
  return (
    <>
      <div className="span">
        <NumberField
          label={texts.every}
          max={99}
          value={every}
          isDisabled={isDisabled}
          onChange={(number) => onChange({ every: number })}
        />
        <Select
          label={texts.unit}
          value={unit}
          disabled={isDisabled}
          onChange={({ target }) => onChange({ unit: units.find((each) => each === target.value) ?? 'WEEKLY' })}
        >
          {units.map((each) => (
            <option key={each} value={each}>
              {texts.units[each]}
            </option>
          ))}
        </Select>
      </div>
      {unit === 'WEEKLY' && <WeekdayFields {...{ repeat, first, isDisabled, onChange }} />}
      {unit === 'MONTHLY' && first !== '' && <MonthlyFields {...{ repeat, first, isDisabled, onChange }} />}
      <RadioGroup
        label={texts.ends}
        options={(['until', 'count', 'never'] as const).map((value) => ({ value, label: texts[value] }))}
        value={end}
        disabled={isDisabled}
        onChange={(value) => onChange({ end: value })}
      />
      {end === 'until' && (
        <TextField
          label={texts.untilDate}
          type="date"
          min={first}
          value={repeat.until}
          disabled={isDisabled}
          onChange={({ target }) => onChange({ until: target.value })}
        />
      )}
      {end === 'count' && (
        <NumberField
          label={texts.countNumber}
          max={1000}
          value={repeat.count}
          isDisabled={isDisabled}
          onChange={(count) => onChange({ count })}
        />
      )}
    </>
  )
}

interface NumberProps {
  readonly label: string
  readonly max: number
  readonly value: number
  readonly isDisabled: boolean
  readonly onChange: (value: number) => void
}

/** A number from 1. It may be empty while somebody writes another one, and shows the last one if nobody does. */
function NumberField({ label, max, value, isDisabled, onChange }: NumberProps) {
  const [isEmpty, setEmpty] = useState(false)
  return (
    <TextField
      {...{ label, max }}
      type="number"
      min={1}
      value={isEmpty ? '' : value}
      disabled={isDisabled}
      onChange={({ target: { value, valueAsNumber } }) => {
        setEmpty(value === '')
        if (value !== '') onChange(Math.max(1, valueAsNumber))
      }}
      onBlur={() => setEmpty(false)}
    />
  )
}

function WeekdayFields({ repeat, isDisabled, onChange }: Props) {
  const { dates: texts } = useEventMessages()
  return (
    <fieldset className="choices weekdays" disabled={isDisabled}>
      <legend>{texts.weekdays}</legend>
      {weekdays.map((name, index) => (
        <Checkbox
          key={name}
          label={weekdayName(index)}
          checked={repeat.weekdays.includes(name)}
          onChange={({ target }) =>
            onChange({
              weekdays: weekdays.filter((each) => (each === name ? target.checked : repeat.weekdays.includes(each))),
            })
          }
        />
      ))}
    </fieldset>
  )
}

function MonthlyFields({ repeat, first, isDisabled, onChange }: Props) {
  const { dates: texts } = useEventMessages()
  const weekday = weekdayName(weekdays.indexOf(weekdayOf(first)))
  const options = [
    { value: 'day', label: texts.onDay(Number(first.slice(8))) },
    { value: 'weekday', label: texts.onWeekday(weekInMonth(first), weekday) },
    { value: 'last', label: texts.onLast(weekday) },
  ] as const
  return (
    <RadioGroup
      label={texts.monthly}
      options={options.filter(({ value }) => value !== 'last' || isInLastWeek(first) || repeat.monthly === 'last')}
      value={repeat.monthly}
      disabled={isDisabled}
      onChange={(monthly) => onChange({ monthly })}
    />
  )
}
