import { type FormEvent, useState } from 'react'
import { useClient } from 'urql'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { RadioGroup, TextField } from '../../components/field.tsx'
import type { Scope } from '../../components/scope-dialog.tsx'
import { useToast } from '../../components/toast.tsx'
import { formatSpan } from '../../dates.ts'
import { type FormEventFragment, type UpdateEventInput, UpdateFormEventDocument } from '../../gql/graphql.ts'
import { type ProblemText, problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { StateBadge } from '../events/state-badge.tsx'
import { useEventMessages } from './messages/messages.ts'
import { isWhole, readSpan, toLocals } from './schedule.ts'
import { Section } from './section.tsx'
import { SpanFields } from './span-fields.tsx'

interface Props {
  readonly event: FormEventFragment
  readonly isDisabled: boolean
  /** Reads the event again. */
  readonly onChanged: () => Promise<void>
}

type Ask = 'cancel' | 'move'

/** One date of a series: what happens to it alone. */
export function DateActions({ event, isDisabled, onChanged }: Props) {
  const messages = useMessages()
  const { date: texts } = useEventMessages()
  const client = useClient()
  const toast = useToast()
  const [asked, setAsked] = useState<Ask>()
  const isCancelled = event.eventStatus === 'CANCELLED'

  async function send(input: UpdateEventInput, done: string): Promise<ProblemText | undefined> {
    const { series, modifiedAt } = event
    const ifUnmodifiedSince = input.scope === 'THIS' ? modifiedAt : series?.modifiedAt
    const { data, error } = await client.mutation(UpdateFormEventDocument, {
      input: { id: event.id, ifUnmodifiedSince, ...input },
    })
    const problem = problemOf(data?.updateEvent?.userErrors, error, messages)
    await onChanged()
    if (problem !== undefined) return problem
    setAsked(undefined)
    toast({ text: done })
    return undefined
  }

  async function restore() {
    const problem = await send({ eventStatus: 'SCHEDULED', dateLabel: null, scope: 'THIS' }, texts.restored)
    if (problem !== undefined) toast({ text: problem, isError: true })
  }

  return (
    <Section title={texts.label}>
      <p>
        <b>{formatSpan(event.startsLocal, event.endsLocal, event.allDay ?? false)}</b>
        {event.dateLabel && ` · ${event.dateLabel}`}
      </p>
      <StateBadge status={event.status} eventStatus={event.eventStatus} />
      <div className="actions">
        {isCancelled ? (
          <Button disabled={isDisabled} onClick={restore}>
            {texts.restore}
          </Button>
        ) : (
          <Button disabled={isDisabled} onClick={() => setAsked('cancel')}>
            {texts.cancel}
          </Button>
        )}
        <Button disabled={isDisabled} onClick={() => setAsked('move')}>
          {texts.move}
        </Button>
      </div>
      {asked === 'cancel' && (
        <CancelDialog
          onClose={() => setAsked(undefined)}
          onCancel={(reason) =>
            send({ eventStatus: 'CANCELLED', dateLabel: reason || null, scope: 'THIS' }, texts.cancelled)
          }
        />
      )}
      {asked === 'move' && (
        <MoveDialog
          event={event}
          onClose={() => setAsked(undefined)}
          onMove={(times, scope) => send({ ...times, scope }, texts.moved)}
        />
      )}
    </Section>
  )
}

/** The dialog belongs to the form of the event in React, which this keeps from being sent, too. */
function keepFromForm(event: FormEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

interface CancelProps {
  readonly onClose: () => void
  readonly onCancel: (reason: string) => Promise<ProblemText | undefined>
}

function CancelDialog({ onClose, onCancel }: CancelProps) {
  const messages = useMessages()
  const { date: texts } = useEventMessages()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<ProblemText>()
  return (
    <Dialog title={texts.cancel} onClose={onClose}>
      <p>{texts.cancelText}</p>
      <form
        className="stack"
        onSubmit={async (event) => {
          keepFromForm(event)
          setProblem(await onCancel(reason.trim()))
        }}
      >
        <TextField
          label={texts.reason}
          help={texts.reasonHelp}
          error={problem}
          maxLength={200}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="actions">
          <Button type="submit" look="danger">
            {texts.cancel}
          </Button>
          <Button onClick={onClose}>{messages.close}</Button>
        </div>
      </form>
    </Dialog>
  )
}

interface MoveProps {
  readonly event: FormEventFragment
  readonly onClose: () => void
  readonly onMove: (times: ReturnType<typeof toLocals>, scope: Scope) => Promise<ProblemText | undefined>
}

function MoveDialog({ event, onClose, onMove }: MoveProps) {
  const messages = useMessages()
  const { date: texts, scope: scopeTexts } = useEventMessages()
  const allDay = event.allDay ?? false
  const [span, setSpan] = useState(readSpan(event, allDay))
  const [scope, setScope] = useState<Scope>('THIS')
  const [problem, setProblem] = useState<ProblemText>()
  const when = formatSpan(event.startsLocal, event.endsLocal, allDay)
  const options = [
    { value: 'THIS', label: messages.scope.THIS, help: scopeTexts.thisState(when) },
    { value: 'FOLLOWING', label: messages.scope.FOLLOWING, help: scopeTexts.FOLLOWING },
    { value: 'ALL', label: messages.scope.ALL, help: scopeTexts.ALL },
  ] as const
  return (
    <Dialog title={texts.move} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={async (event) => {
          keepFromForm(event)
          setProblem(await onMove(toLocals(span, allDay), scope))
        }}
      >
        <SpanFields span={span} allDay={allDay} error={problem} onChange={setSpan} />
        <RadioGroup label={messages.scope.question} options={options} value={scope} onChange={setScope} />
        <div className="actions">
          <Button type="submit" look="primary" disabled={!isWhole(span, allDay)}>
            {texts.move}
          </Button>
          <Button onClick={onClose}>{messages.close}</Button>
        </div>
      </form>
    </Dialog>
  )
}
