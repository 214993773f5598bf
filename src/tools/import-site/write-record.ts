// Writes one record of a legacy site with its ledger entry, in one transaction.

import { DomainError } from '../../basics/errors.ts'
import { mutate } from '../../calendar/lifecycle/mutation.ts'
import type { Outcome } from '../../calendar/lifecycle/payload.ts'
import type { UserErrorShape } from '../../calendar/lifecycle/user-error.ts'
import { slugify } from '../../calendar/text/slug.ts'
import { CommitUnknown } from '../../engine/postgres/commit.ts'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'
import { kinds, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { ConcurrentImport, digestOf, type Ledger } from './ledger.ts'
import type { RecordAuthors } from './record-authors.ts'
import type { RecordIds } from './record-ids.ts'
import type { RecordImages } from './record-images.ts'
import type { InputContext } from './record-inputs.ts'
import { type Writing, writingOf } from './record-writing.ts'
import type { ImportOutcome, SourceImage, SourceKind, TargetOptions } from './source-records.ts'

export interface ImportState {
  readonly options: Pick<TargetOptions, 'site' | 'dryRun' | 'overwrite'> & { readonly keepIds: boolean }
  readonly languages: readonly string[]
  readonly defaultLanguage: string
  readonly ledger: Ledger
  readonly ids: RecordIds
  readonly images: RecordImages
  readonly authors: RecordAuthors
  /** Records that a dry run would have created, as `kind id`. */
  readonly planned: Set<string>
  open(language: string): Promise<Context>
}

export const recordKey = (kind: string, id: number): string => `${kind} ${id}`

/** `imageProblem` says why the image of the record was not downloaded. */
export async function writeRecord(
  record: SourceKind,
  imageProblem: string | undefined,
  state: ImportState,
): Promise<ImportOutcome> {
  const language = [record.originalLanguage, ...state.languages].find(
    (candidate) => state.languages.includes(candidate) && record.texts[candidate],
  )
  if (language === undefined) {
    const found = Object.keys(record.texts).join(', ') || 'no language'
    return skipped(`It has text in ${found}, but LANGUAGES here is ${state.languages.join(', ')}.`)
  }
  const attempt: Attempt = { record, language, imageProblem, excluded: new Map() }
  try {
    for (;;) {
      const outcome = await write(attempt, state)
      if (outcome) return outcome
    }
  } catch (error) {
    return skipped(reasonOf(error))
  }
}

const skipped = (reason: string): ImportOutcome => ({ outcome: 'skipped', reason })

/** Throws errors after which no other record could be written either. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError && error.code === 'BAD_INPUT') return error.message
  const isFatal = [DomainError, CommitUnknown, ConcurrentImport].some((type) => error instanceof type)
  if (isFatal || toUnavailableError(error) || !(error instanceof Error)) throw error
  return `It could not be written: ${error.message.trim().split('\n').at(-1)}`
}

interface Attempt {
  readonly record: SourceKind
  readonly language: string
  readonly imageProblem: string | undefined
  /** Records that cannot be linked, as `kind id` with their ID here, with the reason. */
  readonly excluded: Map<string, string>
}

type Entry = ReturnType<Ledger['find']>

interface Plan {
  readonly writing: Writing
  readonly digest: string
  readonly notes: string[]
  readonly isComplete: boolean
  /** The image to link; undefined in a dry run. */
  readonly image: SourceImage | undefined
}

/** Returns undefined after adding records to `excluded` that turned out not to be linkable. */
async function write(attempt: Attempt, state: ImportState): Promise<ImportOutcome | undefined> {
  const { record } = attempt
  const { ledger, options, ids, images } = state
  const entry = ledger.find(record.kind, [record.id, ...Object.values(record.ids)])
  const plan = await planOf(attempt, entry, state)
  const { writing, notes } = plan
  if (entry && isUnchanged(entry, plan, options)) return { outcome: 'unchanged', id: entry.recordId, notes }
  const isNew = !entry || (entry.currentVersion === null && (options.overwrite || entry.isAdopted))
  const context = await state.open(attempt.language)
  const post = postOf(record)
  const modifiedAt = post?.modifiedAt
  let saved: Awaited<ReturnType<Ledger['save']>> | undefined
  const outcome = await writing.run(context, async (tx, writer) => {
    const imageId = plan.image && (await images.idOf(tx, plan.image))
    const isKept = post?.image && imageId === undefined
    const values = isKept ? {} : { imageId: imageId === undefined ? null : String(imageId) }
    const version = options.overwrite ? undefined : entry?.recordVersion
    const recordId = isNew
      ? await writer.create(values, {
          recordId: await ids.choose(tx, record.kind, record.id, Object.values(record.ids)),
          modifiedAt,
        })
      : await writer.update({ id: entry.recordId, version }, values, { modifiedAt })
    saved = await ledger.save(tx, { ...entryOf(record, plan), recordId, isAdopted: false }, entry)
    return recordId
  })
  if (!saved || !isDone(outcome, options)) return refused(attempt, plan, outcome.userErrors, state)
  const { recordId } = saved.entry
  notes.push(...slugNotes(record, saved.slugs))
  if (options.dryRun) {
    addPlanned(record, state)
    return { outcome: isNew ? 'created' : 'updated', id: isNew ? record.id : recordId, notes }
  }
  ledger.committed(saved.entry, entry)
  if (isNew && options.keepIds && recordId !== record.id) {
    notes.push(`Another record has the ID ${record.id} here; its ID is ${recordId}.`)
  }
  return { outcome: isNew ? 'created' : 'updated', id: recordId, notes }
}

const postOf = (record: SourceKind) => ('status' in record ? record : undefined)

/** A mutation that only checks reports success as one user error without a message. */
const isDone = ({ id, userErrors }: Outcome, { dryRun }: ImportState['options']): boolean =>
  dryRun ? userErrors.every(({ message }) => message === '') : id !== null

const isUnchanged = (entry: NonNullable<Entry>, { digest }: Plan, { overwrite }: ImportState['options']): boolean => {
  if (entry.isAdopted && entry.currentVersion !== null) return true
  return entry.digest === digest && !(overwrite && entry.currentVersion !== entry.recordVersion)
}

const entryOf = (record: SourceKind, { digest, isComplete }: Plan) => ({
  kind: record.kind,
  sourceId: record.id,
  sourceIds: record.ids,
  sourceModifiedAt: postOf(record)?.modifiedAt ?? null,
  digest,
  isComplete,
})

function addPlanned({ kind, id, ids }: SourceKind, { planned }: ImportState): void {
  for (const each of [id, ...Object.values(ids)]) planned.add(recordKey(kind, each))
}

async function planOf(
  { record, language, imageProblem, excluded }: Attempt,
  entry: Entry,
  state: ImportState,
): Promise<Plan> {
  const { ledger, languages, planned, authors } = state
  const notes: string[] = []
  let isComplete = imageProblem === undefined
  const { image, author, modifiedAt } = postOf(record) ?? {}
  if (image && imageProblem !== undefined) {
    notes.push(`The image ${image.url} stays on its site until an import can download it: ${imageProblem}`)
  }
  const leaveOut = (reason: string) => {
    isComplete = false
    notes.push(reason)
    return undefined
  }
  const link = (kind: RecordKind, id: number) => {
    const linked = ledger.findByAnyId(kind, id)
    const reason = linked && excluded.get(recordKey(kind, linked.recordId))
    if (reason !== undefined) return leaveOut(`The ${kind} ${id} is not linked: ${reason}`)
    if (linked || planned.has(recordKey(kind, id))) return linked?.recordId
    return leaveOut(`The ${kind} ${id} is not linked, because it was not imported before.`)
  }
  const removedLanguages = Object.keys(entry?.sourceIds ?? {}).filter((other) => record.texts[other] === undefined)
  const authorId = author === undefined ? undefined : await authors(author)
  const note = (text: string) => void notes.push(text)
  const writing = writingOf(record, { language, languages, removedLanguages, authorId, link, note })
  const source = [record.ids, modifiedAt, image?.url, imageProblem === undefined]
  const linkedImage = state.options.dryRun ? undefined : image
  const described = describe(record, { language, languages, authorId, link, note }, notes)
  return { writing, digest: digestOf([described.input, source]), notes, isComplete, image: linkedImage }
}

/**
 * The input without the removals of texts, which depend on the previous import: a language that is gone changes the texts
 * anyway. Adds no notes.
 */
function describe(record: SourceKind, context: Omit<InputContext, 'removedLanguages'>, notes: string[]): Writing {
  const count = notes.length
  const described = writingOf(record, { ...context, removedLanguages: [] })
  notes.length = count
  return described
}

/** What follows from the errors of a mutation. */
async function refused(
  attempt: Attempt,
  plan: Plan,
  errors: readonly UserErrorShape[],
  state: ImportState,
): Promise<ImportOutcome | undefined> {
  const [first] = errors
  if (first?.code === 'TERM_EXISTS' && first.databaseId !== null) return adopt(attempt, plan, first.databaseId, state)
  if (first?.code === 'CONFLICT') return skipped('It was edited here after it was imported. --overwrite replaces it.')
  if (first?.code === 'NOT_FOUND') return skipped('It was deleted here after it was imported. --overwrite restores it.')
  if (errors.length > 0 && errors.every((error) => exclude(error, attempt, plan))) return undefined
  return skipped(errors.map(({ message }) => message).join(' ') || 'It could not be written.')
}

const linkFields: Readonly<Record<string, RecordKind>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([kind, { plural }]) => [plural, kind as RecordKind])),
}

/** Excludes the linked record that an error is about; false if it is about something else. */
function exclude({ path, message }: UserErrorShape, { record, excluded }: Attempt, { writing }: Plan): boolean {
  const [field = '', index] = path
  const input = writing.input as Readonly<Record<string, unknown>>
  const isParent = field === 'parentId'
  const kind = isParent ? record.kind : linkFields[field]
  const link = isParent ? { id: input[field] } : (input[field] as readonly { readonly id: unknown }[])?.[Number(index)]
  if (kind === undefined || typeof link?.id !== 'string') return false
  const reason = isParent ? message : 'it is in the trash here, or was deleted.'
  const key = recordKey(kind, Number(link.id))
  const isAdded = !excluded.has(key)
  excluded.set(key, reason)
  return isAdded
}

/** Links a category or tag of the same name that exists here, and leaves it as it is. */
async function adopt(attempt: Attempt, plan: Plan, recordId: number, state: ImportState): Promise<ImportOutcome> {
  const { record, language } = attempt
  const { ledger, options } = state
  const notes = [...plan.notes, `The ${record.kind} of the same name that exists here is used.`]
  if (options.dryRun) addPlanned(record, state)
  else {
    const entry = ledger.find(record.kind, [record.id, ...Object.values(record.ids)])
    let saved: Awaited<ReturnType<Ledger['save']>> | undefined
    await mutate(await state.open(language), {}, async (tx) => {
      saved = await ledger.save(tx, { ...entryOf(record, plan), recordId, isAdopted: true }, entry)
      return recordId
    })
    if (!saved) throw new Error(`The ledger entry of the ${record.kind} ${record.id} was not written`)
    ledger.committed(saved.entry, entry)
  }
  return { outcome: 'unchanged', id: recordId, notes }
}

function slugNotes({ texts }: SourceKind, slugs: Readonly<Record<string, string>>): string[] {
  return Object.entries(slugs).flatMap(([language, slug]) => {
    const sourceSlug = texts[language]?.slug ?? ''
    if (sourceSlug === '' || sourceSlug === slug) return []
    if (slugify(sourceSlug) === slug)
      return `The slug ${sourceSlug} in ${language} is not valid here; it became ${slug}.`
    return `Another record has the slug ${sourceSlug} here; its slug in ${language} is ${slug}.`
  })
}
