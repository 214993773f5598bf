import type { Client } from '@urql/core'
import { useState } from 'react'
import { useClient } from 'urql'
import { useToast } from '../../components/toast.tsx'
import {
  ChangeEventDocument,
  type EventRowFragment,
  RestoreEventDocument,
  TrashEventDocument,
  type UpdateEventInput,
} from '../../gql/graphql.ts'
import { problemOf } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'

type Action = 'publish' | 'unpublish' | 'cancel' | 'categorise' | 'trash'

/** One request to the service, and the one that takes it back. */
interface Step {
  readonly row: EventRowFragment
  readonly change: Request
  readonly undo: Request
}
type Request = { readonly update: UpdateEventInput } | { readonly trash: true } | { readonly restore: true }

function stepOf(action: Action, row: EventRowFragment, category = ''): Step {
  const update = (change: UpdateEventInput, undo: UpdateEventInput): Step => ({
    row,
    change: { update: change },
    undo: { update: undo },
  })
  switch (action) {
    case 'publish':
      return update({ status: 'PUBLISHED' }, { status: row.status })
    case 'unpublish':
      return update({ status: 'DRAFT' }, { status: row.status })
    case 'cancel':
      return update({ eventStatus: 'CANCELLED', scope: 'THIS' }, { eventStatus: row.eventStatus, scope: 'THIS' })
    case 'categorise': {
      const before = row.categories.map(({ id }) => ({ id }))
      return update({ categories: [...before, { id: category }] }, { categories: before })
    }
    case 'trash':
      return { row, change: { trash: true }, undo: { restore: true } }
  }
}

/** A repeated event has its publication and categories once, for all of its dates. */
const isOfWholeSeries = (action: Action): boolean => action !== 'cancel' && action !== 'trash'

const onePerSeries = (rows: readonly EventRowFragment[]): EventRowFragment[] => [
  ...new Map(rows.map((row) => [row.series?.id ?? row.id, row])).values(),
]

function send(client: Client, { id }: EventRowFragment, request: Request) {
  if ('trash' in request)
    return client
      .mutation(TrashEventDocument, { input: { id } })
      .then(({ data, error }) => ({ data: data?.trashEvent, error }))
  if ('restore' in request)
    return client
      .mutation(RestoreEventDocument, { input: { id } })
      .then(({ data, error }) => ({ data: data?.restoreEvent, error }))
  const input = { scope: 'BY_FIELD', ...request.update, id } as const
  return client.mutation(ChangeEventDocument, { input }).then(({ data, error }) => ({ data: data?.updateEvent, error }))
}

/** Changes several events, says what happened, and offers to undo it. `onDone` runs after the change. */
export function useBulkChange(onDone: () => void) {
  const client = useClient()
  const toast = useToast()
  const messages = useMessages()
  const { events: texts } = messages
  const [isBusy, setBusy] = useState(false)
  const doneTexts: Readonly<Record<Action, (count: number) => string>> = {
    publish: texts.published,
    unpublish: texts.unpublished,
    cancel: texts.cancelled,
    categorise: texts.categorised,
    trash: texts.trashed,
  }

  /** Runs the steps one after the other, and returns those that worked and what went wrong with the others. */
  async function run(steps: readonly Step[], direction: 'change' | 'undo') {
    const done: Step[] = []
    const problems: string[] = []
    for (const step of steps) {
      const { data, error } = await send(client, step.row, step[direction])
      const problem = problemOf(data?.userErrors, error, messages)
      if (problem === undefined) done.push(step)
      else problems.push(`${step.row.title}: ${problem}`)
    }
    return { done, problems }
  }

  async function change(action: Action, selected: readonly EventRowFragment[], category?: string) {
    setBusy(true)
    const rows = isOfWholeSeries(action) ? onePerSeries(selected) : selected
    const { done, problems } = await run(
      rows.map((row) => stepOf(action, row, category)),
      'change',
    )
    setBusy(false)
    onDone()
    const undo = async () => {
      const back = await run(done, 'undo')
      say(back.problems, texts.undone(back.done.length))
    }
    say(problems, doneTexts[action](done.length), done.length > 0 ? undo : undefined)
  }

  function say(problems: readonly string[], text: string, undo?: () => void) {
    const failed = problems.length > 0 && {
      isError: true,
      details: [texts.failed(problems.length), ...problems.slice(0, 5)],
    }
    toast({ text, ...(undo && { undo }), ...failed })
  }

  return { isBusy, change }
}
