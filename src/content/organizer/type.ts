import { builder } from '../../graphql/builder.ts'
import { databaseIdOfPost, postFields, unlessLocked, whileLocked, withheldFields } from '../fields.ts'
import { nodeWhere } from '../identify.ts'
import { Image } from '../image/type.ts'
import { type Lockable, lockColumns } from '../password.ts'
import { User } from '../user/type.ts'
import { visibleOrganizers } from './visibility.ts'

export const Organizer = builder.prismaNode('Organizer', {
  description: 'Who holds events.',
  id: { field: 'id', description: 'Opaque ID, for `node`.' },
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
    publishedAt: t.expose('publishedAt', { type: 'DateTime', description: 'When it was, or will be, published.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    author: t.relation('author', { type: User, nullable: true, description: 'Who wrote it, if still here.' }),
    image: t.field({
      type: Image,
      nullable: true,
      description: `Picture. ${whileLocked}`,
      select: (_args, _context, nested) => ({ ...lockColumns, image: nested(true) }),
      resolve: unlessLocked(
        (organizer: Lockable & { readonly image: typeof Image.$inferType | null }) => organizer.image,
      ),
    }),
    phone: t.string({
      nullable: true,
      description: `Telephone number. ${whileLocked}`,
      select: { ...lockColumns, phone: true },
      resolve: unlessLocked((organizer) => organizer.phone),
    }),
    website: t.string({
      nullable: true,
      description: `Website; empty when none is known. ${whileLocked}`,
      select: { ...lockColumns, website: true },
      resolve: unlessLocked((organizer) => organizer.website),
    }),
    email: t.string({
      nullable: true,
      description: `E-mail address. ${whileLocked}`,
      select: { ...lockColumns, email: true },
      resolve: unlessLocked((organizer) => organizer.email),
    }),
  }),
})
