// The form's values, and when and how they are saved.
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import type { Scope } from '../../components/scope-dialog.tsx'
import { useIsOpen } from '../../components/use-is-open.ts'
import type { FormEventFragment, RecordStatus } from '../../gql/graphql.ts'
import { createKey } from '../../graphql/client.ts'
import type { ProblemText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useSession } from '../../session.tsx'
import { afterSave, changedFields, type FormState, merge, takeTheirs } from './merge.ts'
import { type FieldErrors, readRefusal } from './refusal.ts'
import { type Change, createEvent, type Outcome, readEvent, updateEvent } from './requests.ts'
import { isComplete } from './schedule.ts'
import { begin, forgetUnsaved, keepUnsaved, type Place } from './storage.ts'
import { type SaveState, useAutosave } from './use-autosave.ts'
import { type ChangeValues, emptyValues, type FieldName, isSame, readValues, titledLanguages } from './values.ts'

export interface SaveOptions {
  readonly status?: RecordStatus
  readonly scope?: Scope
  readonly isMinor?: boolean
}

interface Save {
  readonly state: SaveState
  readonly at?: Date
  readonly problem?: ProblemText
  readonly errors: FieldErrors
  /** Another status was refused. The draft saves itself, but what is wrong stays on the screen. */
  readonly isStatusRefused?: boolean
}

/** What two people did at once: fields that the form took over, and fields to decide. */
interface Met {
  readonly theirs: readonly FieldName[]
  readonly conflicts: readonly FieldName[]
  /** The person closed the question of which version to keep. Nothing is saved before the answer. */
  readonly isPostponed: boolean
}

const nothingMet: Met = { theirs: [], conflicts: [], isPostponed: false }

export const isDraft = (status: RecordStatus): boolean => status === 'DRAFT' || status === 'PENDING'

/** `onCreated` gets the number of an event that has a new one. */
export function useEventForm(
  loaded: FormEventFragment | undefined,
  keptAs: Place['event'],
  onCreated: (databaseId: number) => void,
) {
  const client = useClient()
  const messages = useMessages()
  const isOpen = useIsOpen()
  const { viewer, site } = useSession()
  const { timeZone } = site
  const read = useCallback((event: FormEventFragment) => readValues(event, timeZone, Date.now()), [timeZone])
  const viewerId = viewer.id
  const placeOf = useCallback(
    (event: FormEventFragment | undefined): Place => ({ viewerId, event: event ? String(event.databaseId) : keptAs }),
    [viewerId, keptAs],
  )

  const [event, setEvent] = useState(loaded)
  const [start] = useState(() => begin(loaded ? read(loaded) : emptyValues(timeZone), placeOf(loaded)))
  const [state, setState] = useState(start.state)
  const [save, setSave] = useState<Save>({ state: 'none', errors: {} })
  const [met, setMet] = useState<Met>({ theirs: start.theirs, conflicts: start.conflicts, isPostponed: false })
  const [isRestored, setRestored] = useState(start.isRestored)
  const [hadPassword, setHadPassword] = useState(start.hadPassword)
  /** A password was typed that the browser has not kept. */
  const isPasswordLost = hadPassword && state.values.password === ''
  const latest = useRef({ state, event, met })
  latest.current.event = event

  const meet = (next: Met) => {
    latest.current.met = next
    setMet(next)
  }

  const apply = useCallback((next: FormState) => {
    latest.current.state = next
    setState(next)
  }, [])

  const change: ChangeValues = useCallback(
    (changed) => {
      const { state } = latest.current
      const part = typeof changed === 'function' ? changed(state.values) : changed
      apply({ ...state, values: { ...state.values, ...part } })
      setSave((before) => ({
        ...before,
        errors: Object.fromEntries(Object.entries(before.errors).filter(([name]) => !(name in part))),
      }))
    },
    [apply],
  )

  const unsaved = changedFields(state)
  const isUnsaved = unsaved.length > 0

  useEffect(() => {
    const place = placeOf(event)
    if (changedFields(state).length > 0) keepUnsaved(place, state, isPasswordLost)
    else forgetUnsaved(place)
  }, [state, event, placeOf, isPasswordLost])

  /** Brings in what the service has now; `own` are fields that this person changed. Returns whether nothing is to be decided. */
  function takeIn(event: FormEventFragment, own: readonly FieldName[] = []): boolean {
    const values = read(event)
    const merged = merge(latest.current.state, values)
    const { met } = latest.current
    const isOpen = (name: FieldName) => !isSame(merged.state.values[name], values[name])
    const conflicts = [...new Set([...met.conflicts.filter(isOpen), ...merged.conflicts])]
    apply(merged.state)
    setEvent(event)
    latest.current.event = event
    const theirs = merged.theirs.filter((name) => !own.includes(name))
    meet({ theirs: [...new Set([...met.theirs, ...theirs])], conflicts, isPostponed: false })
    return conflicts.length === 0
  }

  async function send(options: SaveOptions, attempt = 0): Promise<boolean> {
    const { state, event } = latest.current
    const change: Change = { values: state.values, saved: state.saved, ...options, timeZone }
    if (!event) creation.current ??= { key: createKey(), change }
    const created = event ? undefined : creation.current
    const { values: sent, status } = created?.change ?? change
    const outcome: Outcome = await (created
      ? createEvent(client, created.change, created.key)
      : updateEvent(client, event as FormEventFragment, change))
    if (!('refused' in outcome && outcome.refused.isUnanswered)) creation.current = undefined
    if ('event' in outcome) {
      autosave.succeeded()
      apply(afterSave(latest.current.state, sent, read(outcome.event)))
      setEvent(outcome.event)
      latest.current.event = outcome.event
      const at = new Date()
      setSave((before) =>
        before.isStatusRefused && !options.status
          ? { ...before, state: 'saved', at }
          : { state: 'saved', at, errors: {} },
      )
      if (outcome.event.databaseId !== event?.databaseId) {
        forgetUnsaved(placeOf(event))
        if (isOpen.current) onCreated(outcome.event.databaseId)
      }
      // What was repeated did not have the status that was asked for since.
      if (options.status && options.status !== status) return send(options)
      return true
    }
    const { error, userErrors, isUnanswered } = outcome.refused
    if (event && attempt < 3 && userErrors.some(({ code }) => code === 'CONFLICT')) {
      const { data } = await readEvent(client, event.id)
      if (data?.event) {
        const isDecided = takeIn(data.event)
        // Visitors see it by now: it does not save itself any more.
        if (isDecided && !options.status && isDraft(event.status) && !isDraft(data.event.status)) {
          setSave({ state: 'none', errors: {} })
          return false
        }
        if (isDecided) return send(options, attempt + 1)
        setSave({ state: 'failed', errors: {} })
        return false
      }
    }
    autosave.failed(error?.networkError || isUnanswered ? undefined : sent)
    const isStatusRefused = options.status !== undefined
    setSave({ state: 'failed', isStatusRefused, ...readRefusal(outcome.refused, messages) })
    return false
  }

  /** A new event whose answer did not arrive. It is sent again as it was, because it may exist. */
  const creation = useRef<{ readonly key: string; readonly change: Change }>(undefined)
  const isSaving = useRef(false)
  /** How the form is saved once all conflicts are decided. */
  const waiting = useRef<SaveOptions>(undefined)
  async function saveNow(options: SaveOptions = {}): Promise<boolean> {
    if (isSaving.current) return false
    waiting.current = options
    if (latest.current.met.conflicts.length > 0) {
      postpone(false)
      return false
    }
    isSaving.current = true
    setSave((before) => ({ ...before, state: 'saving' }))
    try {
      return await send(options)
    } finally {
      isSaving.current = false
      if (latest.current.met.conflicts.length === 0) waiting.current = undefined
    }
  }

  /** Closes the question of which version to keep, or opens it again. */
  const postpone = (isPostponed: boolean) => {
    if (isPostponed) waiting.current = undefined
    meet({ ...latest.current.met, isPostponed })
  }

  const savesItself =
    (event ? isDraft(event.status) && event.viewerCanUpdate : true) &&
    titledLanguages(state.values).length > 0 &&
    isComplete(state.values.dates) &&
    met.conflicts.length === 0
  const autosave = useAutosave(state.values, savesItself && isUnsaved, save.state, () => void saveNow())

  return {
    ...{ event, state, save, met, isUnsaved, unsaved, isRestored, isPasswordLost, change, saveNow, postpone },
    values: state.values,
    /** Takes what the service has, and forgets what was not saved. */
    discard() {
      const { server } = latest.current.state
      apply({ values: server, saved: server, server })
      setRestored(false)
      setHadPassword(false)
      meet(nothingMet)
    },
    /** Decides between two versions of a field. After the last one, the form is saved as it was about to be. */
    decide(name: FieldName, takesTheirs: boolean) {
      if (takesTheirs) apply(takeTheirs(latest.current.state, name))
      const { met } = latest.current
      const conflicts = met.conflicts.filter((each) => each !== name)
      // What the form does not take over is not announced as taken over.
      const theirs = takesTheirs ? met.theirs : met.theirs.filter((each) => each !== name)
      meet({ theirs, conflicts, isPostponed: false })
      if (conflicts.length === 0 && waiting.current) void saveNow(waiting.current)
    },
    /** The event was changed by an action beside the form. */
    async reload(id = event?.id) {
      if (id === undefined) return
      const { data } = await readEvent(client, id)
      if (!data?.event) return
      takeIn(data.event, ['dates', 'eventStatus'])
    },
  }
}

export type EventForm = ReturnType<typeof useEventForm>
