// The form's values, and when and how they are saved.
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import type { Scope } from '../../components/scope-dialog.tsx'
import type { FormEventFragment, RecordStatus } from '../../gql/graphql.ts'
import { failureText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useSession } from '../../session.tsx'
import { fieldOfPath } from './input.ts'
import { afterSave, changedFields, type FormState, merge, takeTheirs } from './merge.ts'
import { createEvent, needsNewRecord, type Outcome, readEvent, replaceDraft, updateEvent } from './requests.ts'
import { isComplete } from './schedule.ts'
import { forgetUnsaved, keepUnsaved, readUnsaved } from './storage.ts'
import { emptyValues, type FieldName, isSame, readValues, titledLanguages, type Values } from './values.ts'

/** Milliseconds after the last change before a draft is saved. */
const savePause = 1500

export type FieldErrors = Readonly<Partial<Record<FieldName, string>>>

export interface SaveOptions {
  readonly status?: RecordStatus
  readonly scope?: Scope
  readonly isMinor?: boolean
}

interface Save {
  readonly state: 'none' | 'saving' | 'saved' | 'failed'
  readonly at?: Date
  readonly problem?: string
  readonly errors: FieldErrors
}

/** What two people did at once: fields that the form took over, and fields to decide. */
interface Met {
  readonly theirs: readonly FieldName[]
  readonly conflicts: readonly FieldName[]
}

export const isDraft = (status: RecordStatus): boolean => status === 'DRAFT' || status === 'PENDING'

/** `onCreated` gets the number of an event that has a new one. */
export function useEventForm(loaded: FormEventFragment | undefined, onCreated: (databaseId: number) => void) {
  const client = useClient()
  const messages = useMessages()
  const { timeZone } = useSession().site
  const read = useCallback((event: FormEventFragment) => readValues(event, timeZone, Date.now()), [timeZone])
  const storageKey = loaded ? String(loaded.databaseId) : 'new'

  const [event, setEvent] = useState(loaded)
  const [start] = useState(() => begin(loaded ? read(loaded) : emptyValues(timeZone), storageKey))
  const [state, setState] = useState(start.state)
  const [save, setSave] = useState<Save>({ state: 'none', errors: {} })
  const [met, setMet] = useState<Met>({ theirs: start.theirs, conflicts: start.conflicts })
  const [isRestored, setRestored] = useState(start.isRestored)
  const latest = useRef({ state, event })
  latest.current.event = event

  const apply = useCallback((next: FormState) => {
    latest.current.state = next
    setState(next)
  }, [])

  const change = useCallback(
    (part: Partial<Values>) => {
      const { state } = latest.current
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
    const key = event ? String(event.databaseId) : 'new'
    if (changedFields(state).length > 0) keepUnsaved(key, state)
    else forgetUnsaved(key)
  }, [state, event])

  async function send(options: SaveOptions, attempt = 0): Promise<boolean> {
    const { state, event } = latest.current
    const { values: sent, saved } = state
    const request = { values: sent, saved, ...options, timeZone }
    let outcome: Outcome
    if (!event) outcome = await createEvent(client, request)
    else if (needsNewRecord(event, sent)) outcome = await replaceDraft(client, event, request)
    else outcome = await updateEvent(client, event, request)
    if ('event' in outcome) {
      const before = event ? String(event.databaseId) : 'new'
      apply(afterSave(latest.current.state, sent, read(outcome.event)))
      setEvent(outcome.event)
      latest.current.event = outcome.event
      setSave({ state: 'saved', at: new Date(), errors: {} })
      if (outcome.event.databaseId !== event?.databaseId) {
        forgetUnsaved(before)
        onCreated(outcome.event.databaseId)
      }
      return true
    }
    const { error, userErrors, input, language } = outcome.refused
    if (event && attempt < 3 && userErrors.some(({ code }) => code === 'CONFLICT')) {
      const { data } = await readEvent(client, event.id)
      if (data?.event) {
        const merged = merge(latest.current.state, read(data.event))
        apply(merged.state)
        setEvent(data.event)
        latest.current.event = data.event
        setMet(({ theirs }) => ({ theirs: [...new Set([...theirs, ...merged.theirs])], conflicts: merged.conflicts }))
        if (merged.conflicts.length === 0) return send(options, attempt + 1)
        setSave({ state: 'failed', errors: {} })
        return false
      }
    }
    const errors: Partial<Record<FieldName, string>> = {}
    const others: string[] = []
    for (const { code, message, path } of userErrors) {
      const field = fieldOfPath(path, input, language)
      const text = code in messages.errors ? messages.errors[code as keyof typeof messages.errors] : message
      if (field) errors[field] ??= text
      else others.push(text)
    }
    const problem = error ? failureText(error, messages) : others[0]
    setSave({ state: 'failed', errors, ...(problem !== undefined && { problem }) })
    return false
  }

  const isSaving = useRef(false)
  const lastOptions = useRef<SaveOptions>(undefined)
  async function saveNow(options: SaveOptions = {}): Promise<boolean> {
    if (isSaving.current) return false
    isSaving.current = true
    lastOptions.current = options
    setSave((before) => ({ ...before, state: 'saving' }))
    try {
      return await send(options)
    } finally {
      isSaving.current = false
    }
  }

  const savesItself =
    (event ? isDraft(event.status) && event.viewerCanUpdate : true) &&
    titledLanguages(state.values).length > 0 &&
    isComplete(state.values.dates) &&
    met.conflicts.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change starts the pause again.
  useEffect(() => {
    if (!savesItself || !isUnsaved || save.state === 'saving') return
    // What the service refused is sent again after the next change only.
    if (save.state === 'failed' && refused.current === state.values) return
    const timer = setTimeout(() => {
      const { values } = latest.current.state
      saveNow().then((isSavedNow) => {
        if (!isSavedNow) refused.current = values
      })
    }, savePause)
    return () => clearTimeout(timer)
  }, [state, savesItself, isUnsaved, save.state])
  const refused = useRef<Values>(undefined)

  return {
    ...{ event, state, save, met, isUnsaved, unsaved, isRestored, change, saveNow },
    values: state.values,
    /** Takes what the service has, and forgets what was not saved. */
    discard() {
      const { server } = latest.current.state
      apply({ values: server, saved: server, server })
      setRestored(false)
      setMet({ theirs: [], conflicts: [] })
    },
    /** Decides between two versions of a field. After the last one, the form is saved as before. */
    decide(name: FieldName, takesTheirs: boolean) {
      if (takesTheirs) apply(takeTheirs(latest.current.state, name))
      const conflicts = met.conflicts.filter((each) => each !== name)
      setMet({ theirs: met.theirs, conflicts })
      if (conflicts.length === 0 && lastOptions.current) void saveNow(lastOptions.current)
    },
    /** The event was changed by an action beside the form. */
    async reload(id = event?.id) {
      if (id === undefined) return
      const { data } = await readEvent(client, id)
      if (!data?.event) return
      apply(merge(latest.current.state, read(data.event)).state)
      setEvent(data.event)
    },
  }
}

/** Starts with the changes that the browser has kept. */
function begin(server: Values, storageKey: string) {
  const clean = { values: server, saved: server, server }
  const kept = readUnsaved(storageKey)
  if (!kept || isSame(kept.values, kept.saved)) return { state: clean, theirs: [], conflicts: [], isRestored: false }
  return { ...merge(kept, server), isRestored: true }
}

export type EventForm = ReturnType<typeof useEventForm>
