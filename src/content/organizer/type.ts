import { builder } from '../../graphql/builder.ts'
import { databaseIdOfPost, lockable, lockableImage, postFields, withheldFields } from '../fields.ts'
import { nodeWhere } from '../identify.ts'
import { User } from '../user/type.ts'
import { visibleOrganizers } from './visibility.ts'

export const Organizer = builder.prismaNode('Organizer', {
  description: 'An organizer of events.',
  id: { field: 'id', description: 'Global ID for `node`.' },
  nullable: true,
  select: { id: true },
  findUnique: (id, context) => nodeWhere(id, visibleOrganizers(context)),
  fields: (t) => ({
    databaseId: t.exposeInt('id', databaseIdOfPost),
    language: t.string(postFields.language),
    translations: t.field(postFields.translations('organizer')),
    name: t.string({ ...postFields.name, description: 'Plain text, never empty.' }),
    description: t.string(postFields.description),
    descriptionHtml: t.string(postFields.descriptionHtml),
    excerpt: t.string(postFields.excerpt),
    excerptHtml: t.string(postFields.excerptHtml),
    slug: t.string(postFields.slug),
    url: t.field(postFields.url('organizer')),
    status: t.field(postFields.status),
    locked: t.boolean(postFields.locked),
    withheldFields: t.stringList(withheldFields(['phone', 'website', 'email'])),
    publishedAt: t.expose('publishedAt', {
      type: 'DateTime',
      description: 'Publication date, which may be in the future.',
    }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was last modified.' }),
    author: t.relation('author', {
      type: User,
      nullable: true,
      description: 'The author; null if the user was deleted.',
    }),
    image: t.field(lockableImage('Picture.')),
    phone: t.string(lockable('phone', 'Telephone number.')),
    website: t.string(lockable('website', 'Website; empty if unknown.')),
    email: t.string(lockable('email', 'E-mail address.')),
  }),
})
