// The kinds of records that can be exported to spreadsheets and imported from them.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import * as documents from '../../generated/graphql/graphql.ts'
import { isPost, kinds } from '../../kinds.ts'
import type { ConnectionPage, ExecuteOperation, MutationInput, ToolKind } from '../operations.ts'
import type { Column, SheetRecord, TextField } from './columns.ts'
import { eventColumns } from './event-columns.ts'
import { categoryColumns, organizerColumns, venueColumns } from './post-columns.ts'

type PageVariables = { first: number; after: string | null; filter: MutationInput }

/** Describes a kind of record by its columns and operations. `name`: the column of the title or name. */
function sheetKind<Row extends SheetRecord>(record: ToolKind, columns: readonly Column<Row>[]) {
  const name = record === 'event' ? 'title' : 'name'
  const texts = ['slug', ...(isPost(record) ? (['excerpt'] as const) : []), 'description'] as const
  // The variables are built from command line options, without a static type.
  const document = documents[`Sheet${kinds[record].type}PageDocument`] as unknown
  const pageDocument = document as TypedDocumentNode<{ page: ConnectionPage<Row> }, PageVariables>
  return {
    record,
    name,
    /** Text fields by column name. */
    texts: new Map<string, TextField>([[name, 'name'], ...texts.map((field) => [field, field] as const)]),
    columns,
    /** Whether records have a status. */
    isPost: isPost(record),
    page: async (execute: ExecuteOperation, variables: PageVariables, options: Parameters<ExecuteOperation>[2]) =>
      (await execute(pageDocument, variables, options)).page,
  } as const
}

export type SheetKind = ReturnType<typeof sheetKind<SheetRecord>>

export const sheetKinds = {
  events: sheetKind('event', eventColumns),
  venues: sheetKind('venue', venueColumns),
  organizers: sheetKind('organizer', organizerColumns),
  categories: sheetKind('category', categoryColumns),
  tags: sheetKind('tag', []),
} as const

export type SheetKindName = keyof typeof sheetKinds
