// Writes one record of a legacy site and its ledger entry in one transaction.
import { DomainError } from '../../basics/errors.ts'
import { languageCode } from '../../basics/language.ts'
import { CommitUnknownError } from '../../engine/postgres/transaction.ts'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'
import type { ToolErrorFragment } from '../../generated/graphql/graphql.ts'
import type { ImportedRecordOptions } from '../../service/context.ts'
import { findMutation, type MutationInput, userErrorsOf } from '../operations.ts'
import type { ImportState } from './import-state.ts'
import { ConcurrentImportError, type LedgerEntry, recordKey, type SavedLedgerEntry } from './ledger.ts'
import { omitRejectedField, planRecordWrite, type RecordWritePlan, type WriteAttempt } from './record-plan.ts'
import type { AnyRecord, RecordImportOutcome } from './source-records.ts'

export async function writeSourceRecord(
  { record, imageProblem }: Pick<WriteAttempt, 'record' | 'imageProblem'>,
  state: ImportState,
  write: typeof writeAlone = writeAlone,
): Promise<RecordImportOutcome> {
  const { languages } = state
  const language = [record.originalLanguage, ...languages].find(
    (candidate) => languages.includes(candidate) && record.texts[candidate],
  )
  if (language === undefined) {
    const found = Object.keys(record.texts).join(', ') || 'no language'
    return skipped(`It has text in ${found}, but LANGUAGES of this service is ${languages.join(', ')}.`)
  }
  const attempt: WriteAttempt = { record, language, imageProblem, refused: new Map() }
  try {
    for (;;) {
      const outcome = await write(attempt, state)
      if (outcome) return outcome
    }
  } catch (error) {
    return skipped(reasonOf(error))
  }
}

const skipped = (reason: string): RecordImportOutcome => ({ outcome: 'skipped', reason })

/** Returns why the record was not written. Rethrows errors that stop the import, such as a lost database connection. */
function reasonOf(error: unknown): string {
  if (error instanceof DomainError && error.code === 'BAD_INPUT') return error.message
  const isFatal = [DomainError, CommitUnknownError, ConcurrentImportError].some((type) => error instanceof type)
  if (isFatal || toUnavailableError(error) || !(error instanceof Error)) throw error
  return `The record could not be written: ${error.message.trim().split('\n').at(-1)}`
}

/** Writes a record. Undefined if the mutation rejected fields: they are added to `refused` for the next attempt. */
async function writeAlone(attempt: WriteAttempt, state: ImportState): Promise<RecordImportOutcome | undefined> {
  const { record, language } = attempt
  const { ledger, options } = state
  const { kind } = record
  const entry = ledger.find(kind, [record.id, ...Object.values(record.ids)])
  const plan = await planRecordWrite(attempt, state)
  const { notes } = plan
  if (entry && isUnchanged(entry, plan, options)) return { outcome: 'unchanged', id: entry.recordId, notes }
  const isNew = !entry || (entry.currentVersion === null && (options.overwrite || entry.isAdopted))
  const input = await inputOf(attempt, plan, isNew ? undefined : entry, state)
  let saved: SavedLedgerEntry | undefined
  const importing: ImportedRecordOptions = {
    modifiedAt: 'status' in record ? record.modifiedAt : undefined,
    recordId: isNew ? await state.chooseId(kind, record.id, Object.values(record.ids)) : undefined,
    beforeWrite: async (tx) => {
      if (!isNew && !options.overwrite) await ledger.requireUnmodified(tx, entry)
    },
    afterWrite: async (tx, recordId) => {
      saved = await ledger.save(tx, { ...entryOf(record, plan), recordId, isAdopted: false }, entry)
    },
  }
  const mode = { language, checksOnly: options.dryRun, importing }
  const mutation = findMutation(isNew ? 'Create' : 'Update', kind)
  const errors = userErrorsOf((await state.operations.execute(mutation, { input }, mode)).outcome)
  if (!saved || errors.length > 0) return afterErrors(errors, attempt, plan, state)
  notes.push(...slugNotes(record, saved.slugs))
  // A dry run does not know the ID of a new record.
  const recordId = isNew && options.dryRun ? record.id : saved.entry.recordId
  if (options.dryRun) addPlanned(record, state)
  else ledger.applyCommitted(entry, saved.entry)
  if (isNew && options.keepIds && recordId !== record.id) {
    notes.push(`Another record has the ID ${record.id} here; its ID is ${recordId}.`)
  }
  return { outcome: isNew ? 'created' : 'updated', id: recordId, notes }
}

/** Returns the input of the mutation. `entry`: of a record that is updated. */
export async function inputOf(
  { record, refused }: WriteAttempt,
  { input }: RecordWritePlan,
  entry: LedgerEntry | undefined,
  state: ImportState,
): Promise<MutationInput> {
  const { image } = 'status' in record ? record : {}
  const imageId = image && !state.options.dryRun ? await state.images.idOf(image) : undefined
  return {
    ...Object.fromEntries(Object.entries(input).filter(([field]) => !refused.has(field))),
    ...('status' in record && !(image && imageId === undefined) && { imageId: imageId ?? null }),
    ...(entry && {
      id: String(entry.recordId),
      translations: [...(input.translations as object[]), ...removedTexts(record, entry, state)],
    }),
  }
}

/** Whether a user of this service edited or deleted the record after its import. */
export const isEdited = ({ currentVersion, recordVersion }: LedgerEntry): boolean => currentVersion !== recordVersion

const isUnchanged = (
  entry: LedgerEntry,
  { digest }: RecordWritePlan,
  { overwrite }: ImportState['options'],
): boolean => {
  if (entry.isAdopted && entry.currentVersion !== null) return true
  return entry.digest === digest && !(overwrite && isEdited(entry))
}

export const entryOf = (record: AnyRecord, { digest, isComplete }: Pick<RecordWritePlan, 'digest' | 'isComplete'>) => ({
  kind: record.kind,
  sourceId: record.id,
  sourceIds: record.ids,
  sourceModifiedAt: ('status' in record ? record.modifiedAt : undefined) ?? null,
  digest,
  isComplete,
})

export function addPlanned({ kind, id, ids }: AnyRecord, { planned }: ImportState): void {
  for (const each of [id, ...Object.values(ids)]) planned.add(recordKey(kind, each))
}

/** Returns translations that clear the texts of languages which were imported before, and which the site no longer has. */
function removedTexts({ texts }: AnyRecord, { sourceIds }: LedgerEntry, { languages }: ImportState) {
  const removed = languages.filter((language) => language in sourceIds && texts[language] === undefined)
  const none = { name: null, description: null, excerpt: null, slug: null }
  return removed.map((language) => ({ language: languageCode(language), ...none }))
}

export async function afterErrors(
  errors: readonly ToolErrorFragment[],
  attempt: WriteAttempt,
  plan: RecordWritePlan,
  state: ImportState,
): Promise<RecordImportOutcome | undefined> {
  const [first] = errors
  if (first?.code === 'TERM_EXISTS' && first.databaseId !== null) return adopt(attempt, plan, first.databaseId, state)
  if (first?.code === 'CONFLICT')
    return skipped('The record was edited in this service after its import. --overwrite replaces it.')
  if (first?.code === 'NOT_FOUND')
    return skipped('The record was deleted in this service after its import. --overwrite restores it.')
  if (errors.length > 0 && errors.every((error) => omitRejectedField(error, attempt, plan))) return undefined
  return skipped(errors.map(({ message }) => message).join(' ') || 'The record could not be written.')
}

/** Links the source record to the stored category or tag with the same name, without changing the stored record. */
async function adopt(
  { record }: WriteAttempt,
  plan: RecordWritePlan,
  recordId: number,
  state: ImportState,
): Promise<RecordImportOutcome> {
  const { ledger, operations, options } = state
  const notes = [...plan.notes, `The ${record.kind} of the same name that exists here is used.`]
  if (options.dryRun) addPlanned(record, state)
  else {
    const previous = ledger.find(record.kind, [record.id, ...Object.values(record.ids)])
    const entry = { ...entryOf(record, plan), recordId, isAdopted: true }
    const saved = await operations.session.db.$transaction((tx) => ledger.save(tx, entry, previous))
    ledger.applyCommitted(previous, saved.entry)
  }
  return { outcome: 'unchanged', id: recordId, notes }
}

export function slugNotes({ texts }: AnyRecord, slugs: Readonly<Record<string, string>>): string[] {
  return Object.entries(slugs).flatMap(([language, slug]) => {
    const sourceSlug = texts[language]?.slug ?? ''
    if (sourceSlug === '' || sourceSlug === slug) return []
    return `Another record has the slug ${sourceSlug} here, or it is not valid; its slug in ${language} is ${slug}.`
  })
}
