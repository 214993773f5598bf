// The kinds of records that spreadsheets contain.
import {
  type CreateCategoryInput,
  type CreateEventInput,
  type CreateOrganizerInput,
  type CreateTagInput,
  type CreateVenueInput,
  SheetCategoriesDocument,
  type SheetCategoryFragment,
  SheetCategoryIdBySlugDocument,
  SheetCreateCategoryDocument,
  SheetCreateEventDocument,
  SheetCreateOrganizerDocument,
  SheetCreateTagDocument,
  SheetCreateVenueDocument,
  type SheetEventFragment,
  SheetEventIdBySlugDocument,
  SheetEventsDocument,
  type SheetOrganizerFragment,
  SheetOrganizerIdBySlugDocument,
  SheetOrganizersDocument,
  type SheetTagFragment,
  SheetTagIdBySlugDocument,
  SheetTagsDocument,
  SheetUpdateCategoryDocument,
  SheetUpdateEventDocument,
  SheetUpdateOrganizerDocument,
  SheetUpdateTagDocument,
  SheetUpdateVenueDocument,
  type SheetVenueFragment,
  SheetVenueIdBySlugDocument,
  SheetVenuesDocument,
  type UpdateCategoryInput,
  type UpdateEventInput,
  type UpdateOrganizerInput,
  type UpdateTagInput,
  type UpdateVenueInput,
} from '../../generated/graphql/graphql.ts'
import type { SheetKind } from './columns.ts'
import { eventColumns } from './event-columns.ts'
import { categoryColumns, organizerColumns, tagColumns, venueColumns } from './post-columns.ts'

const postTexts = ['name', 'slug', 'excerpt', 'description'] as const
const termTexts = ['name', 'slug', 'description'] as const

const events: SheetKind<SheetEventFragment> = {
  record: 'event',
  name: 'title',
  texts: postTexts,
  columns: eventColumns,
  isPost: true,
  page: async (execute, variables, options) => (await execute(SheetEventsDocument, { ...variables }, options)).page,
  idBySlug: async (execute, slug) => (await execute(SheetEventIdBySlugDocument, { slug })).record,
  create: async (execute, input, options) =>
    (await execute(SheetCreateEventDocument, { input: input as unknown as CreateEventInput }, options)).outcome,
  update: async (execute, input, options) =>
    (await execute(SheetUpdateEventDocument, { input: input as UpdateEventInput }, options)).outcome,
}

const venues: SheetKind<SheetVenueFragment> = {
  record: 'venue',
  name: 'name',
  texts: postTexts,
  columns: venueColumns,
  isPost: true,
  page: async (execute, variables, options) => (await execute(SheetVenuesDocument, { ...variables }, options)).page,
  idBySlug: async (execute, slug) => (await execute(SheetVenueIdBySlugDocument, { slug })).record,
  create: async (execute, input, options) =>
    (await execute(SheetCreateVenueDocument, { input: input as unknown as CreateVenueInput }, options)).outcome,
  update: async (execute, input, options) =>
    (await execute(SheetUpdateVenueDocument, { input: input as UpdateVenueInput }, options)).outcome,
}

const organizers: SheetKind<SheetOrganizerFragment> = {
  record: 'organizer',
  name: 'name',
  texts: postTexts,
  columns: organizerColumns,
  isPost: true,
  page: async (execute, variables, options) => (await execute(SheetOrganizersDocument, { ...variables }, options)).page,
  idBySlug: async (execute, slug) => (await execute(SheetOrganizerIdBySlugDocument, { slug })).record,
  create: async (execute, input, options) =>
    (await execute(SheetCreateOrganizerDocument, { input: input as unknown as CreateOrganizerInput }, options)).outcome,
  update: async (execute, input, options) =>
    (await execute(SheetUpdateOrganizerDocument, { input: input as UpdateOrganizerInput }, options)).outcome,
}

const categories: SheetKind<SheetCategoryFragment> = {
  record: 'category',
  name: 'name',
  texts: termTexts,
  columns: categoryColumns,
  isPost: false,
  page: async (execute, variables, options) => (await execute(SheetCategoriesDocument, { ...variables }, options)).page,
  idBySlug: async (execute, slug) => (await execute(SheetCategoryIdBySlugDocument, { slug })).record,
  create: async (execute, input, options) =>
    (await execute(SheetCreateCategoryDocument, { input: input as unknown as CreateCategoryInput }, options)).outcome,
  update: async (execute, input, options) =>
    (await execute(SheetUpdateCategoryDocument, { input: input as unknown as UpdateCategoryInput }, options)).outcome,
}

const tags: SheetKind<SheetTagFragment> = {
  record: 'tag',
  name: 'name',
  texts: termTexts,
  columns: tagColumns,
  isPost: false,
  page: async (execute, variables, options) => (await execute(SheetTagsDocument, { ...variables }, options)).page,
  idBySlug: async (execute, slug) => (await execute(SheetTagIdBySlugDocument, { slug })).record,
  create: async (execute, input, options) =>
    (await execute(SheetCreateTagDocument, { input: input as unknown as CreateTagInput }, options)).outcome,
  update: async (execute, input, options) =>
    (await execute(SheetUpdateTagDocument, { input: input as unknown as UpdateTagInput }, options)).outcome,
}

export const sheetKinds = { events, venues, organizers, categories, tags } as const

export type SheetKindName = keyof typeof sheetKinds
