// Reads and writes an event as a whole, whether it is one date or a series.
import type { Client, CombinedError } from '@urql/core'
import type { Scope } from '../../components/scope-dialog.tsx'
import {
  CreateFormEventDocument,
  CreateFormSeriesDocument,
  EventToEditDocument,
  type FormEventFragment,
  type LanguageCode,
  type RecordStatus,
  UpdateFormEventDocument,
  UpdateFormSeriesDocument,
  type UserErrorPartsFragment,
} from '../../gql/graphql.ts'
import { repeatable } from '../../graphql/client.ts'
import { contentLanguage } from '../../site.ts'
import { type ContentInput, toContentInput } from './input.ts'
import { savePicture } from './picture.ts'
import { toLocals, toSchedule } from './schedule.ts'
import { emptyValues, isSame, titledLanguages, type Values } from './values.ts'

export interface Change {
  readonly values: Values
  readonly saved: Values
  readonly status?: RecordStatus | undefined
  readonly scope?: Scope | undefined
  readonly isMinor?: boolean | undefined
  readonly timeZone: string
}

export interface Refused {
  readonly error?: CombinedError | undefined
  readonly userErrors: readonly UserErrorPartsFragment[]
  /** What was sent, to find the fields of the errors. */
  readonly input: ContentInput
  readonly language: LanguageCode
  /** The event may exist by now, although its answer did not arrive. */
  readonly isUnanswered?: boolean
}

export type Outcome = { readonly event: FormEventFragment } | { readonly refused: Refused }

export const readEvent = (client: Client, id: string) =>
  client.query(EventToEditDocument, { id }, { requestPolicy: 'network-only' }).toPromise()

interface Payload {
  readonly userErrors: readonly UserErrorPartsFragment[]
}

/** Whether the service may have written what it did not confirm. */
const isUnanswered = (error: CombinedError | undefined): boolean =>
  error !== undefined &&
  (error.networkError !== undefined ||
    error.graphQLErrors.some(({ extensions }) => unansweredCodes.includes(String(extensions.code))))
const unansweredCodes = ['OUTCOME_UNKNOWN', 'COMMITTED_UNREADABLE', 'IDEMPOTENCY_KEY_IN_PROGRESS']

/** Sends a new event. Repeated with the same key, it creates no second one. */
export async function createEvent(client: Client, { values, status, timeZone }: Change, key: string): Promise<Outcome> {
  const language = titledLanguages(values).includes(contentLanguage)
    ? contentLanguage
    : (titledLanguages(values)[0] ?? contentLanguage)
  const input = {
    ...toContentInput(values, emptyValues(timeZone), language, timeZone),
    title: values[`title.${language}`].trim(),
    status: status ?? 'DRAFT',
  }
  const { dates } = values
  const fail = (error: CombinedError | undefined, payload: Payload | null | undefined): Outcome => ({
    refused: { error, userErrors: payload?.userErrors ?? [], input, language, isUnanswered: isUnanswered(error) },
  })
  const read = async (id: string): Promise<Outcome> => {
    const outcome = await readAgain(client, id, input, language)
    return 'event' in outcome ? outcome : { refused: { ...outcome.refused, isUnanswered: true } }
  }
  const imageRefused = await savePicture(client, values.image)
  if (imageRefused) return { refused: { ...imageRefused, input, language } }
  if (dates.kind === 'once') {
    const when = { ...toLocals(dates.first, dates.allDay), allDay: dates.allDay, timeZone: dates.timeZone }
    const variables = { input: { ...input, ...when }, language }
    const { data, error } = await client.mutation(CreateFormEventDocument, variables, repeatable(key))
    const id = data?.createEvent?.event?.id
    return id === undefined ? fail(error, data?.createEvent) : read(id)
  }
  const variables = { input: { ...input, schedule: toSchedule(dates) }, language }
  const { data, error } = await client.mutation(CreateFormSeriesDocument, variables, repeatable(key))
  const id = data?.createEventSeries?.series?.events.nodes[0]?.id
  return id === undefined ? fail(error, data?.createEventSeries) : read(id)
}

/** Sends what was changed in an event. */
export async function updateEvent(client: Client, event: FormEventFragment, change: Change): Promise<Outcome> {
  const { values, saved, status, scope = 'ALL', isMinor, timeZone } = change
  const language = contentLanguage
  const input: ContentInput = {
    ...toContentInput(values, saved, language, timeZone),
    ...(status && { status }),
    ...(isMinor && { minorChange: true }),
  }
  const imageRefused = await savePicture(client, values.image)
  if (imageRefused) return { refused: { ...imageRefused, input, language } }
  const areDatesChanged = !isSame(values.dates, saved.dates)
  const { series } = event
  const { dates } = values
  const isSingle = dates.kind === 'once'
  if (series && !isSingle && scope === 'ALL') {
    const schedule = areDatesChanged ? { schedule: toSchedule(dates) } : {}
    const { data, error } = await client.mutation(UpdateFormSeriesDocument, {
      input: { id: series.id, ifUnmodifiedSince: series.modifiedAt, ...input, ...schedule },
    })
    const written = data?.updateEventSeries
    if (!written?.series) return { refused: { error, userErrors: written?.userErrors ?? [], input, language } }
    return readAgain(client, event.id, input, language, written.series.nextEvent?.id)
  }
  const when = isSingle
    ? { ...toLocals(dates.first, dates.allDay), allDay: dates.allDay, timeZone: dates.timeZone }
    : { schedule: toSchedule(dates) }
  const { data, error } = await client.mutation(UpdateFormEventDocument, {
    input: {
      ...{ id: event.id, ...input, ...(areDatesChanged && when) },
      // A series becomes a single event, with the ID of the date.
      ...(series && (isSingle ? { schedule: null, scope: 'ALL' } : { scope })),
      ifUnmodifiedSince: series && scope === 'FOLLOWING' ? series.modifiedAt : event.modifiedAt,
    },
  })
  const written = data?.updateEvent
  if (!written?.event) return { refused: { error, userErrors: written?.userErrors ?? [], input, language } }
  return { event: written.event }
}

export const hasOtherDates = ({ series }: FormEventFragment): boolean => series !== null && series.events.totalCount > 1

async function readAgain(
  client: Client,
  id: string,
  input: ContentInput,
  language: LanguageCode,
  otherId?: string,
): Promise<Outcome> {
  const { data, error } = await readEvent(client, id)
  if (data?.event && data.event.status !== 'TRASH') return { event: data.event }
  if (otherId !== undefined && otherId !== id) return readAgain(client, otherId, input, language)
  return { refused: { error, userErrors: [], input, language } }
}
