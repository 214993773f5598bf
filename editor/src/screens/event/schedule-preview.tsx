import { useEffect, useState } from 'react'
import { type CombinedError, useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Checkbox } from '../../components/field.tsx'
import { formatSpan } from '../../dates.ts'
import { type ScheduleInput, SchedulePreviewDocument, type SchedulePreviewQuery } from '../../gql/graphql.ts'
import { failureText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useEventMessages } from './messages/messages.ts'
import { type Dates, isComplete, toSchedule } from './schedule.ts'

interface Props {
  readonly dates: Dates
  readonly isDisabled: boolean
  readonly onChange: (part: Partial<Dates>) => void
}

/** Milliseconds after the last change. */
const pause = 300
const firstDates = 60
/** More dates than these are closed, so that the keyboard gets past them. */
const openDates = 10

/** The schedule in words, and its dates, of which single ones can be left out. */
export function SchedulePreview({ dates, isDisabled, onChange }: Props) {
  const messages = useMessages()
  const { dates: texts } = useEventMessages()
  const [first, setFirst] = useState(firstDates)
  const { preview, seen, error } = usePreview(dates, first)
  if (!isComplete(dates)) return null
  if (error) return <p className="field-error">{failureText(error, messages)}</p>
  // Reserves the space of the preview, so that the layout does not shift while a person types below it.
  if (!preview) return <div className="preview coming" />
  const { totalCount, isEndless, words, warnings } = preview
  const rows = listDates(dates.excluded, seen)
  const labelOf = ({ startsLocal, endsLocal }: ShownDate) =>
    formatSpan(startsLocal, endsLocal, dates.allDay || startsLocal.endsWith(wholeDay))
  return (
    <section className="preview" aria-label={texts.preview}>
      <p role="status">
        <b>{words}</b> ({isEndless ? texts.previewEndless : texts.previewCount(totalCount)})
      </p>
      {totalCount === 0 && <p className="notice">{messages.wrongValues.schedule}</p>}
      {totalCount > 0 &&
        warnings.map((warning) => (
          <p key={warning} className="notice" lang="en">
            {warning}
          </p>
        ))}
      {dates.kind === 'several' ? (
        <ul className="dates">
          {rows.map((date) => (
            <li key={date.startsLocal}>{labelOf(date)}</li>
          ))}
        </ul>
      ) : (
        <details open={rows.length <= openDates || undefined}>
          <summary>{texts.previewDates(dates.excluded.length)}</summary>
          <p className="help">{texts.previewHelp}</p>
          <ul className="dates">
            {rows.map((date) => (
              <li key={date.startsLocal}>
                <Checkbox
                  label={labelOf(date)}
                  checked={!date.isExcluded}
                  disabled={isDisabled}
                  onChange={() => onChange({ excluded: toggle(dates, date.startsLocal) })}
                />
              </li>
            ))}
          </ul>
          {!isEndless && totalCount > preview.dates.length && (
            <Button onClick={() => setFirst(first + firstDates)}>{texts.previewMore}</Button>
          )}
        </details>
      )}
    </section>
  )
}

const wholeDay = 'T00:00:00'

interface ShownDate {
  readonly startsLocal: string
  readonly endsLocal: string
}

/** The dates of the preview, and those that are left out, whose times are known if they were shown before. */
function listDates(excluded: readonly string[], seen: readonly ShownDate[]) {
  const isExcluded = ({ startsLocal }: ShownDate) => excluded.some((date) => startsLocal.startsWith(date))
  const unseen = excluded.filter((date) => !seen.some(({ startsLocal }) => startsLocal.startsWith(date)))
  const others = unseen.map((date) => (date.includes('T') ? date : `${date}${wholeDay}`))
  return [...seen, ...others.map((time) => ({ startsLocal: time, endsLocal: time }))]
    .map((date) => ({ ...date, isExcluded: isExcluded(date) || others.includes(date.startsLocal) }))
    .sort((one, other) => (one.startsLocal < other.startsLocal ? -1 : 1))
}

/** Leaves out a date, by its day, or has it again. */
function toggle({ excluded }: Dates, startsLocal: string): string[] {
  const day = startsLocal.slice(0, 10)
  const others = excluded.filter((date) => !date.startsWith(day))
  return others.length < excluded.length ? others : [...excluded, day].sort()
}

interface Preview {
  readonly preview?: SchedulePreviewQuery['previewSchedule']
  /** Its dates, and those of previews of the same rule that were left out since. */
  readonly seen: readonly ShownDate[]
  readonly error?: CombinedError
}

/** The preview stays on the screen until the next one is there, so that the focus stays, too. */
function usePreview(dates: Dates, first: number): Preview {
  const client = useClient()
  const [result, setResult] = useState<Preview>({ seen: [] })
  const schedule = isComplete(dates) ? JSON.stringify(toSchedule(dates)) : undefined
  useEffect(() => {
    if (schedule === undefined) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const input = JSON.parse(schedule) as ScheduleInput
      const { data, error } = await client.query(SchedulePreviewDocument, { schedule: input, first })
      if (!isCurrent) return
      setResult(({ seen }) => ({
        ...(data && { preview: data.previewSchedule }),
        seen: data ? keepExcluded(seen, data.previewSchedule.dates, input.excludedDates ?? []) : [],
        ...(error && { error }),
      }))
    }, pause)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, schedule, first])
  return result
}

const keepExcluded = (before: readonly ShownDate[], dates: readonly ShownDate[], excluded: readonly string[]) => [
  ...dates,
  ...before.filter(
    ({ startsLocal }) =>
      excluded.some((date) => startsLocal.startsWith(date)) && !dates.some((date) => date.startsLocal === startsLocal),
  ),
]
