// The GraphQL interfaces `Post` and `Term`, for fragments that fit several kinds. The types that implement them resolve the fields.
import { builder } from '../../service/graphql/builder.ts'
import type { Complexity } from '../../service/graphql/limits/complexity.ts'
import { RecordStatus } from '../rules/enums.ts'
import { Translatable } from '../text/translatable.ts'
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
import { lockableField, lockableImageField } from './lockable.ts'

interface Options<Nullable extends boolean> {
  readonly description: string
  readonly nullable?: Nullable
  readonly extensions?: { readonly complexity?: Complexity }
}

/** The options of a field without its selection and its resolver. */
const declared = <Nullable extends boolean = false>({ description, nullable, extensions }: Options<Nullable>) => ({
  description,
  extensions,
  nullable: (nullable ?? false) as Nullable,
})

const image = lockableImageField('Image.')
const viewerCan = termPermissionFields('tag')
const pageUrl = { type: 'URL', description: 'HTML page of the record.' } as const
const calendarUrl = {
  type: 'URL',
  nullable: true,
  description: 'iCalendar file of the event, or feed of the events of the record; null without a slug.',
} as const

export const Post = builder.interfaceRef<object>('Post').implement({
  description: 'A record that has an author and can be published: an event, a venue or an organizer.',
  interfaces: [Translatable],
  fields: (t) => ({
    databaseId: t.int(postDatabaseIdField),
    description: t.string(declared(postFieldOptions.description)),
    descriptionHtml: t.string(declared(postFieldOptions.descriptionHtml)),
    excerpt: t.string(declared(postFieldOptions.excerpt)),
    excerptHtml: t.string(declared(postFieldOptions.excerptHtml)),
    slug: t.string(declared(postFieldOptions.slug)),
    url: t.field(pageUrl),
    icalendarUrl: t.field(calendarUrl),
    status: t.field({ ...declared(postFieldOptions.status), type: RecordStatus }),
    locked: t.boolean(declared(postFieldOptions.locked)),
    publishedAt: t.field(publishedAtField),
    modifiedAt: t.field(modifiedAtField),
    author: t.field({ ...postAuthorField, type: User }),
    image: t.field({ ...declared(image), type: image.type }),
    website: t.string(declared(lockableField('website', 'Website; null or empty if there is no website.'))),
    viewerCanUpdate: t.boolean(declared(postPermissionFieldOptions.viewerCanUpdate)),
    viewerCanDelete: t.boolean(declared(postPermissionFieldOptions.viewerCanDelete)),
    hasPassword: t.boolean(declared(postPermissionFieldOptions.hasPassword)),
  }),
})

export const Term = builder.interfaceRef<object>('Term').implement({
  description: 'A record that groups events: a category or a tag.',
  interfaces: [Translatable],
  fields: (t) => ({
    databaseId: t.int(termDatabaseIdField),
    name: t.string({ description: 'Name as plain text, never empty.' }),
    description: t.string(declared(termFieldOptions.description)),
    slug: t.string(declared(termFieldOptions.slug)),
    url: t.field(pageUrl),
    icalendarUrl: t.field(calendarUrl),
    modifiedAt: t.field(modifiedAtField),
    count: t.int({
      description: 'Number of published events with this category or tag, without descendants.',
    }),
    viewerCanUpdate: t.boolean(declared(viewerCan.viewerCanUpdate)),
    viewerCanDelete: t.boolean(declared(viewerCan.viewerCanDelete)),
  }),
})
