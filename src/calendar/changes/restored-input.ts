// The input of an update mutation that changes the content of a record to an earlier one.
import { type InputProblem, inputProblemsError } from '../../basics/errors.ts'
import { languageCode } from '../../basics/language.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { findExistingIds } from '../../engine/reads/existing-ids.ts'
import type { Reads } from '../../engine/reads/reads.ts'
import { isPost, kinds } from '../../kinds.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { loggedFields, type RevisedKind } from '../lifecycle/logged-fields.ts'
import { mergedIdSlug } from '../rules/identify.ts'
import { listedPostsFilter } from '../rules/status.ts'
import { type SeriesRow, toScheduleInput } from '../series/stored-schedule.ts'
import { findSlugOwners } from '../text/slug.ts'
import { linkedIds, type RecordState } from './record-state.ts'
import { toTicket } from './revision-changes.ts'

const linkedKinds = ['venue', 'organizer', 'category', 'tag'] as const

/** Columns that updates take together, because each of them changes the others. */
const groups = [
  ['starts_local', 'starts_at', 'ends_local', 'ends_at', 'time_zone', 'all_day'],
  ['event_status', 'attendance_mode', 'previous_starts_at', 'starts_local', 'starts_at', 'time_zone', 'all_day'],
  ['status', 'published_at'],
  ['schedule', 'time_zone', 'all_day'],
  ['country', 'state', 'province', 'state_province'],
]

/** Fields of inputs that have another name than the field of the type. */
const inputNames: Readonly<Record<string, string>> = {
  author: 'authorId',
  image: 'imageId',
  parent: 'parentId',
  costEntries: 'cost',
}

/** Returns the name of a field in revisions for its name in inputs: `costEntries` for `cost`. */
export const revisedFieldOf = (name: string): string =>
  Object.keys(inputNames).find((field) => inputNames[field] === name) ?? name

/** Returns the error for a field of a revision that cannot be restored. Its path names the field, and the language of a text. */
export function restorationProblem(field: string, language: string | null | undefined, message: string): InputProblem {
  const names = language == null ? [field] : [field, languageCode(language)]
  const label = language == null ? field : `${field} (${languageCode(language)})`
  return { path: ['revisionId', ...names], message: `${label}: ${message}` }
}

/**
 * Fields that a restoration does not change: of passwords, e-mail addresses and files of images, no former version is kept. The slug
 * and the UID of a date are those of its series.
 */
export async function findUnrestorableFields(tx: Tx, kind: RevisedKind, id: number): Promise<readonly string[]> {
  const isDate = kind === 'event' && (await tx.event.count({ where: { id, seriesId: { not: null } } })) > 0
  return ['hasPassword', 'email', 'url', ...(isDate ? ['slug', 'uid'] : [])]
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Returns the input of the update mutation of a kind that changes the current content to the wanted one. */
export function toUpdateInput(kind: RevisedKind, current: RecordState, wanted: RecordState) {
  const { columns } = loggedFields[kind]
  const changed = Object.keys(columns).filter((column) => !isEqual(current.get(column), wanted.get(column)))
  const taken = new Set(changed)
  for (const group of groups) {
    if (group.some((column) => changed.includes(column))) for (const column of group) taken.add(column)
  }
  const { latitude, longitude, schedule, ...values } = Object.fromEntries(
    Object.entries(columns)
      .filter(([column]) => taken.has(column))
      .map(([column, field]) => [inputNames[field] ?? field, toInput(column, wanted.get(column) ?? null)]),
  )
  const coordinates = { latitude: wanted.get('latitude'), longitude: wanted.get('longitude') }
  const isKnown = coordinates.latitude !== undefined && coordinates.longitude !== undefined
  return {
    ...values,
    ...((latitude !== undefined || longitude !== undefined) && { coordinates: isKnown ? coordinates : null }),
    ...(schedule !== undefined && { schedule: toScheduleInput({ ...values, schedule } as SeriesRow) }),
    ...(loggedFields[kind].links && linkInputs(current, wanted)),
    ...textInputs(kind, current, wanted),
  }
}

function toInput(column: string, value: unknown): unknown {
  if (typeof value === 'number' && column.endsWith('_id')) return String(value)
  return typeof value === 'string' && column.endsWith('_at') ? new Date(value) : value
}

function linkInputs(current: RecordState, wanted: RecordState) {
  const lists = linkedKinds.flatMap((part) => {
    const ids = linkedIds(wanted, part)
    return isEqual(linkedIds(current, part), ids) ? [] : [[kinds[part].plural, ids.map((id) => ({ id: String(id) }))]]
  })
  const [before, tickets] = [current, wanted].map((state) =>
    linkedIds(state, 'ticket').map((id) => toTicket(state.get(`ticket#${id}`))),
  )
  return { ...Object.fromEntries(lists), ...(!isEqual(before, tickets) && { tickets }) }
}

function textInputs(kind: RevisedKind, current: RecordState, wanted: RecordState) {
  const names = Object.entries(loggedFields[kind].texts)
  const languages = new Set([...current.keys(), ...wanted.keys()].flatMap((key) => key.split('@')[1] ?? []))
  const translations = [...languages].flatMap((language) => {
    const texts = names.flatMap(([column, field]) => {
      const [before, after] = [current, wanted].map((state) => state.get(`${column}@${language}`) ?? null)
      return before === after ? [] : [[kind === 'image' ? field : column, after]]
    })
    // Updates remove the slug of a language whose other texts they remove, unless the input has the slug.
    const slug = kind === 'image' ? undefined : wanted.get(`slug@${language}`)
    return texts.length === 0 ? [] : [{ language, ...(slug !== undefined && { slug }), ...Object.fromEntries(texts) }]
  })
  return translations.length === 0 ? {} : { translations }
}

/** Replaces links to records that have been merged since with links to the records that they were merged into. */
export async function replaceMergedLinks(
  reads: Pick<Reads, 'rows'>,
  kind: RevisedKind,
  state: RecordState,
): Promise<RecordState> {
  const resolved = new Map(state)
  const parent = kind === 'category' ? state.get('parent_id') : undefined
  if (typeof parent === 'number') {
    const slug = mergedIdSlug(parent)
    resolved.set('parent_id', (await findSlugOwners(reads, 'category', [slug])).get(slug) ?? parent)
  }
  for (const part of linkedKinds) {
    const ids = linkedIds(state, part)
    const kept = await findSlugOwners(reads, part, ids.map(mergedIdSlug))
    if (kept.size === 0) continue
    for (const id of ids) resolved.delete(`${part}#${id}`)
    for (const id of ids) {
      const key = `${part}#${kept.get(mergedIdSlug(id)) ?? id}`
      if (!resolved.has(key)) resolved.set(key, state.get(`${part}#${id}`))
    }
  }
  return resolved
}

/** Throws if a list of links would contain records that are gone, or that the caller may not see and that are not linked now. */
export async function checkLinks(
  tx: Tx,
  kind: RevisedKind,
  current: RecordState,
  wanted: RecordState,
  context: Context,
): Promise<void> {
  if (!loggedFields[kind].links) return
  const lists = linkedKinds.map((part) => ({ part, ids: linkedIds(wanted, part), now: linkedIds(current, part) }))
  const changed = lists.filter(({ ids, now }) => !isEqual(ids, now) && ids.length > 0)
  const existing = await findExistingIds(
    tx,
    new Map(
      changed.map(({ part, ids }) => {
        const visible = isPost(part) ? [listedPostsFilter(context)] : []
        return [kinds[part].type as string, { AND: [{ id: { in: ids } }, ...visible] }]
      }),
    ),
  )
  const seesAll = may(context.viewer, 'editOthers')
  const problems = changed.flatMap(({ part, ids, now }) => {
    const hidden = ids.filter((id) => !existing.get(kinds[part].type)?.has(id))
    const missing = hidden.filter((id) => !now.includes(id))
    const named = seesAll || !isPost(part) ? ` (${missing.join(', ')})` : ''
    const message = `records that the ${kind} was linked with${named} are deleted or in the trash, or you may not see them. Leave out this field.`
    return missing.length === 0 ? [] : [restorationProblem(kinds[part].plural, null, message)]
  })
  if (problems.length > 0) throw inputProblemsError(problems)
}
