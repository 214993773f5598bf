// Adds the GraphQL fields that all posts share, and the fields that all terms share. Other fields are in the folder of the kind.

import { kinds, type PostKind, type TermKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder, nodeIdOptions } from '../../service/graphql/builder.ts'
import { countFieldOptions } from '../list/term-counts.ts'
import { languageArgs } from '../text/translatable.ts'
import { User } from '../user/type.ts'
import {
  postAuthorOptions,
  postDatabaseIdOptions,
  postDateFields,
  postFields,
  postPermissionFields,
  termDatabaseIdOptions,
  termFields,
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
    databaseId: t.exposeInt('id', postDatabaseIdOptions),
    contentLanguage: t.field(postFields.contentLanguage),
    languages: t.field(postFields.languages(kind)),
    translations: t.field(postFields.translations(kind)),
    translation: t.field({ ...postFields.translation(kind), args: languageArgs(t.arg) }),
    description: t.string(postFields.description),
    descriptionHtml: t.string(postFields.descriptionHtml),
    excerpt: t.string(postFields.excerpt),
    excerptHtml: t.string(postFields.excerptHtml),
    slug: t.string(postFields.slug),
    url: t.field(postFields.url(kind)),
    icalendarUrl: t.field(postFields.icalendarUrl(kind)),
    status: t.field(postFields.status),
    locked: t.boolean(postFields.locked),
    publishedAt: t.expose('publishedAt', { ...postDateFields.publishedAt, type: 'DateTime' }),
    modifiedAt: t.expose('modifiedAt', { ...postDateFields.modifiedAt, type: 'DateTime' }),
    author: t.relation('author', { ...postAuthorOptions, type: User }),
    image: t.field(lockableImageField('Image.')),
    viewerCanUpdate: t.boolean(postPermissionFields.viewerCanUpdate),
    viewerCanDelete: t.boolean(postPermissionFields.viewerCanDelete),
    hasPassword: t.boolean(postPermissionFields.hasPassword),
  }))
}

/** Adds the fields of terms, except the URL. */
export function addTermFields(kind: TermKind, countDescription: string): void {
  const viewerCan = termPermissionFields(kind)
  // Both term tables have the columns that these fields select.
  builder.prismaObjectFields(kinds[kind].type as 'Tag', (t) => ({
    databaseId: t.exposeInt('id', termDatabaseIdOptions),
    contentLanguage: t.field(termFields.contentLanguage),
    languages: t.field(termFields.languages(kind)),
    translations: t.field(termFields.translations(kind)),
    translation: t.field({ ...termFields.translation(kind), args: languageArgs(t.arg) }),
    name: t.string({ ...termFields.name, description: 'Name as plain text, never empty.' }),
    description: t.string(termFields.description),
    slug: t.string(termFields.slug),
    count: t.int({ description: countDescription, ...countFieldOptions }),
    viewerCanUpdate: t.boolean(viewerCan.viewerCanUpdate),
    viewerCanDelete: t.boolean(viewerCan.viewerCanDelete),
  }))
}
