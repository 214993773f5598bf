// The state that is shared by all records of one import.
import { createContext } from '../../service/context.ts'
import { commandSource } from '../command-source.ts'
import { cliViewer, type Operations } from '../operations.ts'
import { hasOnlyRecordsOfSite, openLedger } from './ledger.ts'
import { createRecordAuthors } from './record-authors.ts'
import { createIdChooser } from './record-ids.ts'
import { createRecordImages } from './record-images.ts'
import type { TargetOptions } from './source-records.ts'

export type ImportState = Awaited<ReturnType<typeof openImportState>>

export async function openImportState(operations: Operations, given: TargetOptions) {
  const { session, site } = operations
  const { db, settings } = session
  const operation = { viewer: cliViewer, language: settings.defaultLanguage, origin: { source: commandSource() } }
  const context = await createContext({ ...session, site }, operation)
  const options = { ...given, keepIds: given.keepIds ?? (await hasOnlyRecordsOfSite(db, given.site)) }
  const ledger = await openLedger(db, options.site)
  const chooseId = createIdChooser(db, options)
  return {
    ...{ options, operations, ledger, chooseId, languages: settings.languages },
    images: createRecordImages(context, chooseId),
    authors: createRecordAuthors(operations, ledger, chooseId, options),
    /** Keys (recordKey) of records that a dry run would have created. */
    planned: new Set<string>(),
  }
}
