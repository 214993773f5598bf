// The kinds of records that spreadsheets contain.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import * as documents from '../../generated/graphql/graphql.ts'
import { isPost, kinds } from '../../kinds.ts'
import type { ToolKind } from '../mutations.ts'
import type { Page } from '../operations.ts'
import type { Column, SheetKind, SheetRecord } from './columns.ts'
import { eventColumns } from './event-columns.ts'
import { categoryColumns, organizerColumns, venueColumns } from './post-columns.ts'

function sheetKind<Row extends SheetRecord>(record: ToolKind, columns: readonly Column<Row>[]): SheetKind<Row> {
  const name = record === 'event' ? 'title' : 'name'
  const texts = ['slug', ...(isPost(record) ? (['excerpt'] as const) : []), 'description'] as const
  // Its variables are made of the options of the command, which have no GraphQL type.
  const document = documents[`Sheet${kinds[record].type}PageDocument`]
  const pageDocument = document as unknown as TypedDocumentNode<{ page: Page<Row> }, Record<string, unknown>>
  return {
    record,
    name,
    texts: new Map([[name, 'name'], ...texts.map((field) => [field, field] as const)]),
    columns,
    isPost: isPost(record),
    page: async (execute, variables, options) => (await execute(pageDocument, { ...variables }, options)).page,
  }
}

export const sheetKinds = {
  events: sheetKind('event', eventColumns),
  venues: sheetKind('venue', venueColumns),
  organizers: sheetKind('organizer', organizerColumns),
  categories: sheetKind('category', categoryColumns),
  tags: sheetKind('tag', []),
} as const

export type SheetKindName = keyof typeof sheetKinds
