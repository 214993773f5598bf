// The form's values, and when and how they are saved.
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useClient } from 'urql'
import type { Scope } from '../../components/scope-dialog.tsx'
import { useIsOpen } from '../../components/use-is-open.ts'
import type { FormEventFragment, RecordStatus } from '../../gql/graphql.ts'
import { createKey } from '../../graphql/client.ts'
import { failureText, type ProblemText, userErrorText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useHasEnded, useSession } from '../../session.tsx'
import { fieldOfPath } from './input.ts'
import { afterSave, changedFields, type FormState, merge, takeTheirs } from './merge.ts'
import { type Change, createEvent, type Outcome, readEvent, updateEvent } from './requests.ts'
import { isComplete } from './schedule.ts'
import { forgetUnsaved, keepUnsaved, type Place, readUnsaved } from './storage.ts'
import {
  type ChangeValues,
  emptyValues,
  type FieldName,
  isSame,
  readValues,
  titledLanguages,
  type Values,
} from './values.ts'

/** Milliseconds after the last change before a draft is saved. */
const savePause = 1500
/** After a failure of the network, most of which are short, and after further ones. */
const [firstRetryPause, retryPause] = [2000, 10_000]

export type FieldErrors = Readonly<Partial<Record<FieldName, ProblemText>>>

export interface SaveOptions {
  readonly status?: RecordStatus
  readonly scope?: Scope
  readonly isMinor?: boolean
}

interface Save {
  readonly state: 'none' | 'saving' | 'saved' | 'failed'
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
  const hasEnded = useHasEnded()
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
      failures.current = 0
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
    const { error, userErrors, input, language, isUnanswered } = outcome.refused
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
    failures.current += 1
    refused.current = error?.networkError || isUnanswered ? undefined : sent
    const errors: Partial<Record<FieldName, ProblemText>> = {}
    const others: ProblemText[] = []
    for (const userError of userErrors) {
      const field = fieldOfPath(userError.path, input, language)
      const text = userErrorText(userError, messages)
      if (field) errors[field] ??= text
      else others.push(text)
    }
    const problem = error ? failureText(error, messages) : others[0]
    const isStatusRefused = options.status !== undefined
    setSave({ state: 'failed', errors, isStatusRefused, ...(problem !== undefined && { problem }) })
    return false
  }

  /** A new event whose answer did not arrive. It is sent again as it was, because it may exist. */
  const creation = useRef<{ readonly key: string; readonly change: Change }>(undefined)
  const isSaving = useRef(false)
  /** Since the last save. */
  const failures = useRef(0)
  /** What the service refused is sent again after the next change only. */
  const refused = useRef<Values>(undefined)
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
  const saveItself = useEffectEvent(() => void saveNow())
  useEffect(() => {
    if (!savesItself || !isUnsaved || save.state === 'saving') return
    if (save.state === 'failed' && refused.current === state.values) return
    const pause = save.state !== 'failed' ? savePause : failures.current === 1 ? firstRetryPause : retryPause
    const timer = setTimeout(() => saveItself(), pause)
    return () => clearTimeout(timer)
  }, [state.values, savesItself, isUnsaved, save.state])

  /** What was refused while the person was not signed in. */
  const sendAgain = useEffectEvent(() => {
    if (savesItself && isUnsaved && save.state === 'failed') void saveNow()
  })
  useEffect(() => {
    if (!hasEnded) sendAgain()
  }, [hasEnded])

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

/** Starts with the changes that the browser has kept. */
function begin(server: Values, place: Place) {
  const { state, hadPassword = false } = readUnsaved(place) ?? {}
  if (state && !isSame(state.values, state.saved)) return { ...merge(state, server), hadPassword, isRestored: true }
  const clean = { values: server, saved: server, server }
  return { state: clean, theirs: [], conflicts: [], hadPassword, isRestored: false }
}

export type EventForm = ReturnType<typeof useEventForm>
