import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Checkbox, RadioGroup, TextField } from '../../components/field.tsx'
import { useEventMessages } from './messages/messages.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { type Dates, emptySpan, type Span, weekdayOf } from './schedule.ts'
import { SchedulePreview } from './schedule-preview.tsx'
import { PartError, type SectionProps } from './section.tsx'
import { SpanFields } from './span-fields.tsx'

const deviceTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

interface Props extends SectionProps {
  /** Whether a single event can take the place of the series. */
  readonly canBeSingle: boolean
  /** The only date of a series. */
  readonly onlyDate: Span | undefined
}

/** All dates of the event. */
export function DatesFields({ values: { dates }, errors, isDisabled, onChange, canBeSingle, onlyDate }: Props) {
  const { dates: texts, more } = useEventMessages()
  const change = (part: Partial<Dates>) => onChange({ dates: { ...dates, ...part } })
  const { kind, first, allDay, repeat } = dates
  const kinds = (['once', 'several', 'repeats'] as const).map((value) => ({ value, label: texts.kinds[value] }))
  return (
    <>
      {kind !== 'rules' && (
        <RadioGroup
          label={texts.kind}
          look="switch"
          options={canBeSingle ? kinds : kinds.filter(({ value }) => value !== 'once')}
          value={kind}
          disabled={isDisabled}
          onChange={(value) => change({ kind: value, ...(value === 'once' && onlyDate && { first: onlyDate }) })}
        />
      )}
      {kind !== 'rules' && !canBeSingle && !isDisabled && <p className="help">{texts.kindFixed}</p>}
      {kind === 'rules' ? (
        <p className="help">{texts.rules}</p>
      ) : (
        <>
          <Group label={kind === 'once' ? undefined : kind === 'repeats' ? texts.first : texts.number(1)}>
            <SpanFields
              span={first}
              {...{ allDay, isDisabled }}
              name="dates"
              error={errors.dates}
              onChange={(span) => change({ first: span, ...followWeekday(dates, span) })}
            />
          </Group>
          <Checkbox
            label={texts.allDay}
            checked={allDay}
            disabled={isDisabled}
            onChange={({ target }) => change({ allDay: target.checked })}
          />
          {!allDay && dates.timeZone !== deviceTimeZone && (
            <p className="help">{texts.otherTimeZone(dates.timeZone, more)}</p>
          )}
        </>
      )}
      {kind === 'rules' && <PartError error={errors.dates} />}
      {kind === 'several' && (
        <MoreDates {...{ dates, isDisabled }} label={(number) => texts.number(number + 1)} onChange={change} />
      )}
      {kind === 'repeats' && (
        <RepeatFields
          repeat={repeat}
          first={first.date}
          isDisabled={isDisabled}
          onChange={(part) => change({ repeat: { ...repeat, ...part } })}
        />
      )}
      {kind !== 'once' && <SchedulePreview dates={dates} isDisabled={isDisabled} onChange={change} />}
      <details>
        <summary>{more}</summary>
        <div className="stack">
          {(kind === 'repeats' || kind === 'rules') && (
            <MoreDates {...{ dates, isDisabled }} label={texts.extra} onChange={change} />
          )}
          <TextField
            label={texts.timeZone}
            help={texts.timeZoneHelp}
            value={dates.timeZone}
            disabled={isDisabled}
            list="time-zones"
            autoComplete="off"
            onChange={({ target }) => change({ timeZone: target.value })}
          />
          <datalist id="time-zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </div>
      </details>
    </>
  )
}

function Group({ label, children }: { readonly label: string | undefined; readonly children: ReactNode }) {
  if (label === undefined) return children
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {children}
    </fieldset>
  )
}

interface MoreProps {
  readonly dates: Dates
  readonly label: (number: number) => string
  readonly isDisabled: boolean
  readonly onChange: (part: Partial<Dates>) => void
}

/** Dates beside the first one, or beside those of a rule. A new one has the times of the one before. */
function MoreDates({ dates: { kind, first, more, allDay }, label, isDisabled, onChange }: MoreProps) {
  const messages = useEventMessages()
  const { dates: texts } = messages
  const replace = (index: number, span: Span) => onChange({ more: more.with(index, span) })
  return (
    <>
      {more.map((span, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: dates have nothing else that tells them apart.
        <Group key={index} label={label(index + 1)}>
          <div className="row">
            <SpanFields {...{ span, allDay, isDisabled }} onChange={(next) => replace(index, next)} />
            <Button
              look="quiet"
              disabled={isDisabled}
              onClick={() => onChange({ more: more.toSpliced(index, 1) })}
              aria-label={messages.remove(label(index + 1))}
            >
              ✕
            </Button>
          </div>
        </Group>
      ))}
      <div>
        <Button
          disabled={isDisabled}
          onClick={() => {
            const { from, to } = more.at(-1) ?? first
            onChange({ more: [...more, { ...emptySpan, from, to }] })
          }}
        >
          {kind === 'several' ? texts.addDate : texts.addExtra}
        </Button>
      </div>
    </>
  )
}

/** The chosen weekday moves with the first date. */
function followWeekday({ first, repeat }: Dates, next: Span): Partial<Dates> {
  if (next.date === '' || next.date === first.date) return {}
  const [only, ...others] = repeat.weekdays
  const follows = only === undefined || (others.length === 0 && first.date !== '' && only === weekdayOf(first.date))
  return follows ? { repeat: { ...repeat, weekdays: [weekdayOf(next.date)] } } : {}
}
