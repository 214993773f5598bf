// Writes records as rows of a spreadsheet.

import { languageOfCode } from '../../basics/language.ts'
import { SheetCustomFieldsDocument } from '../../generated/graphql/graphql.ts'
import type { ExecuteOperation } from '../operations.ts'
import type { Column, MutationInput, Page, SheetKind, SheetRecord } from './columns.ts'
import { customColumn } from './event-columns.ts'
import { textColumnsOf } from './rows.ts'

export interface ExportedColumn {
  readonly name: string
  readonly type?: Column<SheetRecord>['type']
  read(record: SheetRecord): string
}

export interface ExportOptions {
  /** The languages of the texts. With one, the columns of texts have no language in their names. */
  readonly languages: readonly string[]
  readonly filter: MutationInput
}

/** Records per page: their texts must fit into one response. */
const pageSize = 40

/** The columns of the export. Reads the custom fields of all events that the filter selects. */
export async function exportColumns(
  kind: SheetKind,
  execute: ExecuteOperation,
  { languages, filter }: ExportOptions,
): Promise<ExportedColumn[]> {
  const [only] = languages.length === 1 ? languages : []
  const texts = [...textColumnsOf(kind)].flatMap(([name, field]) =>
    languages.map((language) => ({
      name: only === undefined ? `${name}:${language}` : name,
      read: ({ translations }: SheetRecord) =>
        translations.find((text) => languageOfCode(text.language) === language)?.[field] ?? '',
    })),
  )
  const keys = kind.record === 'event' ? await customKeys(execute, filter) : []
  return [
    { name: 'id', type: 'number', read: ({ id }) => String(id) },
    ...(only === undefined ? [] : [{ name: 'language', read: () => only }]),
    ...texts,
    ...kind.columns,
    ...keys.map((key) => customColumn(key) as Column<SheetRecord>),
    ...(kind.isPost
      ? [{ name: 'modified', read: ({ modifiedAt }: SheetRecord) => modifiedAt?.toISOString() ?? '' }]
      : []),
  ]
}

async function customKeys(execute: ExecuteOperation, filter: MutationInput): Promise<string[]> {
  const keys = new Set<string>()
  const read = async (after: string | null) => {
    const variables = { first: pageSize, after, filter }
    return (await execute(SheetCustomFieldsDocument, variables, { forEditing: true })).page
  }
  for await (const { customFields } of allNodes(read)) for (const { key } of customFields) keys.add(key)
  return [...keys].sort()
}

/** Yields all records that the filter selects. */
export const exportRecords = (
  kind: SheetKind,
  execute: ExecuteOperation,
  { languages: [language, ...others], filter }: ExportOptions,
): AsyncGenerator<SheetRecord> =>
  allNodes((after) => {
    // Names of linked records are in the language of the file, or in the default language.
    const options = { forEditing: true, ...(others.length === 0 && language !== undefined && { language }) }
    return kind.page(execute, { first: pageSize, after, filter }, options)
  })

async function* allNodes<Row>(read: (after: string | null) => Promise<Page<Row>>): AsyncGenerator<Row> {
  for (let after: string | null = null; ; ) {
    const page: Page<Row> = await read(after)
    yield* page.nodes
    after = page.pageInfo.endCursor
    if (!page.pageInfo.hasNextPage) return
  }
}

/** The value of a cell in JSON: text, or null for an empty number. */
export function jsonValue(text: string, type: ExportedColumn['type']): string | number | boolean | null {
  if (type === 'boolean') return text === 'true'
  if (type === 'number') return text === '' ? null : Number(text)
  return text
}
