// Adds the GraphQL fields that all posts share, and the fields that all terms share. Other fields are in the folder of the kind.

import type { ObjectRef } from '@pothos/core'
import { kinds, type PostKind, type TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder, nodeIdOptions, type SchemaTypes } from '../../service/graphql/builder.ts'
import { countFieldOptions } from '../list/term-counts.ts'
import { languageArgs } from '../text/translatable.ts'
import { User } from '../user/type.ts'
import {
  modifiedAtField,
  postAuthorField,
  postDatabaseIdField,
  postFieldOptions,
  postPermissionFieldOptions,
  publishedAtField,
  termDatabaseIdField,
  termFieldOptions,
  termPermissionFields,
} from './fields.ts'
import { lockableImageField } from './lockable.ts'

/** Options of the GraphQL type of a record. `visible` selects the records that the caller may read. */
export const recordTypeOptions = <Where extends object>(visible: (context: Context) => Where) => ({
  id: nodeIdOptions,
  nullable: true as const,
  select: { id: true as const },
  findUnique: (id: string, context: Context) => ({ ...visible(context), id: Number(id) }),
})

/** Adds the fields of posts, except the title or name. */
export function addPostFields(kind: PostKind): void {
  // All post tables have the columns that these fields select.
  builder.prismaObjectFields(kinds[kind].type as 'Organizer', (t) => ({
    databaseId: t.exposeInt('id', postDatabaseIdField),
    url: t.field(postFieldOptions.url(kind)),
    icalendarUrl: t.field(postFieldOptions.icalendarUrl(kind)),
    modifiedAt: t.expose('modifiedAt', modifiedAtField),
  }))
  addContentFields(kind, kinds[kind].type)
}

/** Adds the fields of posts that all dates of a series have in common. */
export function addContentFields(kind: PostKind, type: string | ObjectRef<SchemaTypes, object>): void {
  builder.prismaObjectFields(type as 'Organizer', (t) => ({
    contentLanguage: t.field(postFieldOptions.contentLanguage),
    languages: t.field(postFieldOptions.languages(kind)),
    translations: t.field(postFieldOptions.translations(kind)),
    translation: t.field({ ...postFieldOptions.translation(kind), args: languageArgs(t.arg) }),
    description: t.string(postFieldOptions.description),
    descriptionHtml: t.string(postFieldOptions.descriptionHtml),
    excerpt: t.string(postFieldOptions.excerpt),
    excerptHtml: t.string(postFieldOptions.excerptHtml),
    slug: t.string(postFieldOptions.slug),
    status: t.field(postFieldOptions.status),
    locked: t.boolean(postFieldOptions.locked),
    publishedAt: t.expose('publishedAt', publishedAtField),
    author: t.relation('author', { ...postAuthorField, type: User }),
    image: t.field(lockableImageField('Image.')),
    viewerCanUpdate: t.boolean(postPermissionFieldOptions.viewerCanUpdate),
    viewerCanDelete: t.boolean(postPermissionFieldOptions.viewerCanDelete),
    hasPassword: t.boolean(postPermissionFieldOptions.hasPassword),
  }))
}

/** Adds the fields of terms, except the URL. */
export function addTermFields(kind: TermKind, countDescription: string): void {
  const viewerCan = termPermissionFields(kind)
  // Both term tables have the columns that these fields select.
  builder.prismaObjectFields(kinds[kind].type as 'Tag', (t) => ({
    databaseId: t.exposeInt('id', termDatabaseIdField),
    modifiedAt: t.expose('modifiedAt', modifiedAtField),
    contentLanguage: t.field(termFieldOptions.contentLanguage),
    languages: t.field(termFieldOptions.languages(kind)),
    translations: t.field(termFieldOptions.translations(kind)),
    translation: t.field({ ...termFieldOptions.translation(kind), args: languageArgs(t.arg) }),
    name: t.string({ ...termFieldOptions.name, description: 'Name as plain text, never empty.' }),
    description: t.string(termFieldOptions.description),
    slug: t.string(termFieldOptions.slug),
    count: t.int({ description: countDescription, ...countFieldOptions }),
    viewerCanUpdate: t.boolean(viewerCan.viewerCanUpdate),
    viewerCanDelete: t.boolean(viewerCan.viewerCanDelete),
  }))
}
