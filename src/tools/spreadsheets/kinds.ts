// The kinds of records that spreadsheets contain.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  SheetCategoriesDocument,
  SheetCategoryIdBySlugDocument,
  SheetCreateCategoryDocument,
  SheetCreateEventDocument,
  SheetCreateOrganizerDocument,
  SheetCreateTagDocument,
  SheetCreateVenueDocument,
  SheetEventIdBySlugDocument,
  SheetEventsDocument,
  SheetOrganizerIdBySlugDocument,
  SheetOrganizersDocument,
  SheetTagIdBySlugDocument,
  SheetTagsDocument,
  SheetUpdateCategoryDocument,
  SheetUpdateEventDocument,
  SheetUpdateOrganizerDocument,
  SheetUpdateTagDocument,
  SheetUpdateVenueDocument,
  SheetVenueIdBySlugDocument,
  SheetVenuesDocument,
} from '../../generated/graphql/graphql.ts'
import { isPost, type RecordKind } from '../../kinds.ts'
import type { ExecuteOperation, Page } from '../operations.ts'
import type { Column, Payload, SheetKind, SheetRecord } from './columns.ts'
import { eventColumns } from './event-columns.ts'
import { categoryColumns, organizerColumns, venueColumns } from './post-columns.ts'

/** A document with variables of any type: those that `sheetKind` passes are made of the columns. */
type AnyDocument<Data> = TypedDocumentNode<Data, never>
type Mutation = AnyDocument<{ readonly outcome: Payload | null }>

function sheetKind<Row extends SheetRecord>(
  record: RecordKind,
  columns: readonly Column<Row>[],
  documents: {
    readonly page: AnyDocument<{ readonly page: Page<Row> }>
    readonly idBySlug: AnyDocument<{ readonly record: { readonly id: number } | null }>
    readonly create: Mutation
    readonly update: Mutation
  },
): SheetKind<Row> {
  const run = <Data>(
    execute: ExecuteOperation,
    document: AnyDocument<Data>,
    variables: object,
    options?: Parameters<ExecuteOperation>[2],
  ) => execute(document as TypedDocumentNode<Data, Record<string, unknown>>, { ...variables }, options)
  const name = record === 'event' ? 'title' : 'name'
  const texts = ['slug', ...(isPost(record) ? (['excerpt'] as const) : []), 'description'] as const
  return {
    record,
    name,
    texts: new Map([[name, 'name'], ...texts.map((field) => [field, field] as const)]),
    columns,
    isPost: isPost(record),
    page: async (execute, variables, options) => (await run(execute, documents.page, variables, options)).page,
    idBySlug: async (execute, slug) => (await run(execute, documents.idBySlug, { slug })).record,
    create: async (execute, input, options) => (await run(execute, documents.create, { input }, options)).outcome,
    update: async (execute, input, options) => (await run(execute, documents.update, { input }, options)).outcome,
  }
}

export const sheetKinds = {
  events: sheetKind('event', eventColumns, {
    page: SheetEventsDocument,
    idBySlug: SheetEventIdBySlugDocument,
    create: SheetCreateEventDocument,
    update: SheetUpdateEventDocument,
  }),
  venues: sheetKind('venue', venueColumns, {
    page: SheetVenuesDocument,
    idBySlug: SheetVenueIdBySlugDocument,
    create: SheetCreateVenueDocument,
    update: SheetUpdateVenueDocument,
  }),
  organizers: sheetKind('organizer', organizerColumns, {
    page: SheetOrganizersDocument,
    idBySlug: SheetOrganizerIdBySlugDocument,
    create: SheetCreateOrganizerDocument,
    update: SheetUpdateOrganizerDocument,
  }),
  categories: sheetKind('category', categoryColumns, {
    page: SheetCategoriesDocument,
    idBySlug: SheetCategoryIdBySlugDocument,
    create: SheetCreateCategoryDocument,
    update: SheetUpdateCategoryDocument,
  }),
  tags: sheetKind('tag', [], {
    page: SheetTagsDocument,
    idBySlug: SheetTagIdBySlugDocument,
    create: SheetCreateTagDocument,
    update: SheetUpdateTagDocument,
  }),
} as const

export type SheetKindName = keyof typeof sheetKinds
