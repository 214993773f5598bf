// What differs between venues, organizers, categories and tags: their fields and operations.
import type { Client, CombinedError, TypedDocumentNode } from '@urql/core'
import {
  CategoryListDocument,
  CategoryRecordDocument,
  CreateCategoryDocument,
  CreateOrganizerDocument,
  CreateTagDocument,
  CreateVenueDocument,
  DeleteCategoryDocument,
  DeleteTagDocument,
  type FormImageFragment,
  MergeCategoriesDocument,
  type MergedKind,
  type MergeInput,
  MergeOrganizersDocument,
  MergeTagsDocument,
  MergeVenuesDocument,
  OrganizerListDocument,
  OrganizerRecordDocument,
  RestoreOrganizerDocument,
  RestoreVenueDocument,
  TagListDocument,
  TagRecordDocument,
  TrashOrganizerDocument,
  TrashVenueDocument,
  UpdateCategoryDocument,
  UpdateOrganizerDocument,
  UpdateTagDocument,
  UpdateVenueDocument,
  type UserErrorPartsFragment,
  type UserRight,
  VenueListDocument,
  VenueRecordDocument,
} from '../../gql/graphql.ts'

export type FieldName =
  | 'name'
  | 'address'
  | 'zip'
  | 'city'
  | 'country'
  | 'phone'
  | 'email'
  | 'website'
  | 'parentId'
  | 'description'
  | 'coordinates'
  | 'imageId'

type TextName = Exclude<FieldName, 'coordinates' | 'imageId'>

export interface Coordinates {
  readonly latitude: number
  readonly longitude: number
}

/** A record of any of the kinds. */
export interface Item extends Partial<Record<Exclude<TextName, 'name' | 'parentId'>, string | null>> {
  readonly id: string
  readonly databaseId: number
  readonly name: string
  readonly parent?: { readonly id: string; readonly name: string } | null
  readonly coordinates?: Coordinates | null
  readonly image?: FormImageFragment | null
  readonly modifiedAt: string
  /** Number of published events, of categories and tags. */
  readonly count?: number
  readonly url: string
  readonly viewerCanUpdate: boolean
  readonly viewerCanDelete: boolean
}

interface ListData {
  readonly list: {
    readonly nodes: readonly Item[]
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
    readonly totalCount: number
  }
}

export interface Written {
  readonly item?: Item | null | undefined
  readonly userErrors: readonly UserErrorPartsFragment[] | undefined
  readonly error: CombinedError | undefined
}
interface Payload {
  readonly record?: Item | null
  readonly userErrors: readonly UserErrorPartsFragment[]
}

/** Sends a mutation whose payload has the alias `written`. */
function write<Variables>(document: TypedDocumentNode<{ readonly written: Payload | null }, Variables>) {
  return async (client: Client, variables: Variables): Promise<Written> => {
    const { data, error } = await client.mutation(document, variables as Variables & object)
    return { item: data?.written?.record, userErrors: data?.written?.userErrors, error }
  }
}

/** The values of a form. The fields of each kind are those of its inputs. */
export type Values = Readonly<Partial<Record<TextName | 'imageId', string | null>>> & {
  readonly coordinates?: Coordinates | null
}

export interface Kind {
  readonly merged: MergedKind
  /** The right to create and merge. */
  readonly right: UserRight
  readonly mergeRight: UserRight
  readonly list: TypedDocumentNode<ListData, { search?: string | undefined; after?: string | undefined }>
  readonly record: TypedDocumentNode<{ readonly record: Item | null }, { id: string }>
  readonly fields: readonly FieldName[]
  readonly create: (client: Client, variables: { input: Values & { name: string } }) => Promise<Written>
  readonly update: (
    client: Client,
    variables: { input: Values & { id: string; ifUnmodifiedSince: string; minorChange: boolean } },
  ) => Promise<Written>
  /** Moves to the trash; categories and tags have none. */
  readonly trash?: (client: Client, variables: { id: string }) => Promise<Written>
  readonly restore?: (client: Client, variables: { input: { id: string } }) => Promise<Written>
  readonly remove?: (client: Client, variables: { id: string }) => Promise<Written>
  readonly merge: (client: Client, variables: { input: MergeInput }) => Promise<Written>
}

const kinds = {
  venues: {
    merged: 'VENUE',
    right: 'WRITE',
    mergeRight: 'EDIT_OTHERS',
    list: VenueListDocument,
    record: VenueRecordDocument,
    fields: ['name', 'address', 'zip', 'city', 'country', 'coordinates', 'phone', 'website', 'description', 'imageId'],
    create: write(CreateVenueDocument),
    update: write(UpdateVenueDocument),
    trash: write(TrashVenueDocument),
    restore: write(RestoreVenueDocument),
    merge: write(MergeVenuesDocument),
  },
  organizers: {
    merged: 'ORGANIZER',
    right: 'WRITE',
    mergeRight: 'EDIT_OTHERS',
    list: OrganizerListDocument,
    record: OrganizerRecordDocument,
    fields: ['name', 'phone', 'email', 'website', 'description', 'imageId'],
    create: write(CreateOrganizerDocument),
    update: write(UpdateOrganizerDocument),
    trash: write(TrashOrganizerDocument),
    restore: write(RestoreOrganizerDocument),
    merge: write(MergeOrganizersDocument),
  },
  categories: {
    merged: 'CATEGORY',
    right: 'MANAGE_CATEGORIES',
    mergeRight: 'MANAGE_CATEGORIES',
    list: CategoryListDocument,
    record: CategoryRecordDocument,
    fields: ['name', 'parentId', 'description'],
    create: write(CreateCategoryDocument),
    update: write(UpdateCategoryDocument),
    remove: write(DeleteCategoryDocument),
    merge: write(MergeCategoriesDocument),
  },
  tags: {
    merged: 'TAG',
    right: 'MANAGE_TAGS',
    mergeRight: 'MANAGE_TAGS',
    list: TagListDocument,
    record: TagRecordDocument,
    fields: ['name', 'description'],
    create: write(CreateTagDocument),
    update: write(UpdateTagDocument),
    remove: write(DeleteTagDocument),
    merge: write(MergeTagsDocument),
  },
} satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export const kindOf = (name: KindName): Kind => kinds[name]

interface Detailed extends Partial<Record<'address' | 'zip' | 'city' | 'phone' | 'email' | 'website', string | null>> {
  readonly name: string
  readonly parent?: { readonly name: string } | null
}

/** What tells records of the same name apart. */
export const detailOf = ({ address, zip, city, phone, email, website, parent }: Detailed): string =>
  [address, [zip, city].filter(Boolean).join(' '), phone, email, website, parent?.name].filter(Boolean).join(', ')
