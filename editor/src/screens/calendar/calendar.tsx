import { useMemo, useState } from 'react'
import { useClient } from 'urql'
import { Link, useLocation, useSearchParams } from 'wouter'
import { Button } from '../../components/button.tsx'
import { RadioGroup } from '../../components/field.tsx'
import { ScopeDialog } from '../../components/scope-dialog.tsx'
import { Screen } from '../../components/screen.tsx'
import { Failure } from '../../components/states.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatSpan } from '../../dates.ts'
import { ChangeEventDocument, type EventRowFragment, type SeriesScope } from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useRight } from '../../session.tsx'
import { CalendarGrid, type Move, type ShownDates, type View, views } from './calendar-grid.tsx'
import { useEventsBetween } from './use-events-between.ts'

/** A grid of seven days needs a wide screen. */
const offeredViews: readonly View[] = window.matchMedia('(min-width: 48rem)').matches ? views : ['list']

export function CalendarScreen() {
  const messages = useMessages()
  const { calendar: texts, events: eventTexts } = messages
  const client = useClient()
  const toast = useToast()
  const canWrite = useRight('WRITE')
  const [, navigate] = useLocation()
  const [params, setParams] = useSearchParams()
  const view = offeredViews.find((name) => name === params.get('view')) ?? offeredViews[0] ?? 'list'
  const date = params.get('date') ?? ''
  const show = (change: Readonly<Record<string, string>>) =>
    setParams((before) => ({ ...Object.fromEntries(before), ...change }), { replace: true })
  const [shown, setShown] = useState<ShownDates>()
  const { from, to } = shown ?? {}
  const days = useMemo(() => (from && to ? { from, to } : undefined), [from, to])
  const { rows, error, reload } = useEventsBetween(days)
  const [asked, setAsked] = useState<Move>()

  async function save(
    row: EventRowFragment,
    startsLocal: string,
    endsLocal: string,
    scope: SeriesScope,
    isUndo = false,
  ) {
    const { data, error: failure } = await client.mutation(ChangeEventDocument, {
      input: { id: row.id, startsLocal, endsLocal, scope },
    })
    const problem = problemOf(data?.updateEvent?.userErrors, failure, messages)
    reload()
    if (problem !== undefined) toast({ text: `${row.title}: ${problem}`, isError: true })
    else
      toast({
        text: texts.moved(row.title, formatSpan(startsLocal, endsLocal, row.allDay ?? false)),
        ...(!isUndo && { undo: () => save(row, row.startsLocal, row.endsLocal, scope, true) }),
      })
  }

  return (
    <Screen
      title={texts.title}
      actions={
        canWrite && (
          <Link href="/events/new" className="button primary">
            {eventTexts.new}
          </Link>
        )
      }
    >
      <div className="calendar-bar">
        <h2 aria-live="polite">{shown?.title}</h2>
        <div className="actions">
          <Button onClick={() => show({ date: shown?.previous ?? '' })}>{texts.previous}</Button>
          <Button onClick={() => show({ date: '' })}>{texts.today}</Button>
          <Button onClick={() => show({ date: shown?.next ?? '' })}>{texts.next}</Button>
        </div>
        {offeredViews.length > 1 && (
          <RadioGroup
            label={texts.view}
            look="switch"
            options={offeredViews.map((value) => ({ value, label: texts.views[value] }))}
            value={view}
            onChange={(name) => show({ view: name })}
          />
        )}
      </div>
      {error && <Failure error={error} onRetry={reload} />}
      {view !== 'list' && <p className="soft">{texts.hint}</p>}
      <CalendarGrid
        view={view}
        date={date}
        rows={rows ?? []}
        onShow={setShown}
        onOpen={(row) => navigate(`/events/${row.databaseId}`)}
        onMove={(move) => (move.row.series ? setAsked(move) : save(move.row, move.startsLocal, move.endsLocal, 'THIS'))}
      />
      {asked && (
        <ScopeDialog
          title={asked.row.title}
          when={formatSpan(asked.startsLocal, asked.endsLocal, asked.row.allDay ?? false)}
          onClose={() => {
            asked.revert()
            setAsked(undefined)
          }}
          onChoose={(scope) => {
            setAsked(undefined)
            void save(asked.row, asked.startsLocal, asked.endsLocal, scope)
          }}
        />
      )}
    </Screen>
  )
}
