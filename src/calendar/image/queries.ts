import { notFoundError } from '../../basics/errors.ts'
import { escapeLikePattern } from '../../engine/postgres/query.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { searchComplexity } from '../../service/graphql/limits/complexity.ts'
import { InstantRange, toDateFilter } from '../list/date-range.ts'
import type { ListOrder } from '../list/list-query.ts'
import { addOrderInputType } from '../list/order-input.ts'
import { addListQueries } from '../list/record-queries.ts'
import { idDescription, parseReferencedId, parseReferenceId, requireRecordId } from '../rules/identify.ts'
import { usableImagesFilter, usedImagesFilter } from '../rules/visibility.ts'
import { checkSearchText } from '../search/words.ts'
import { Image } from './type.ts'

const ImageFilter = builder.inputType('ImageFilter', {
  description: 'Selects images. Criteria combine with AND.',
  fields: (t) => ({
    include: t.idList({ description: 'Only these images. Unknown IDs are ignored.' }),
    search: t.string({
      description: 'Part of the title, alternative text, caption or credit, in any language.',
      extensions: searchComplexity,
    }),
    slugs: t.stringList({ description: 'Only images with one of these slugs.' }),
    mimeType: t.string({ description: 'Only images of this media type, such as `image/png`.' }),
    authors: t.idList({ description: `Only images that one of these users added. ${idDescription('user')}` }),
    used: t.boolean({
      description:
        'True: only images that events, venues or organizers show, as the fields of the image list them. False: only images that no such record shows.',
    }),
    missingAltText: t.boolean({
      description:
        'Only images without alternative text in any language that are not `decorative`; false has no effect.',
    }),
    addedAt: t.field({ type: InstantRange, description: 'When the image was added.' }),
  }),
})

const ImageOrder = addOrderInputType('image', 'Sort keys of images. Ties are broken by ID.', {
  ADDED: { value: 'createdAt', description: 'When the image was added.' },
  MODIFIED: { value: 'modifiedAt', description: 'When the image or its texts last changed.' },
  TITLE: {
    value: 'slug',
    description: 'The title in the form of a slug, in the language in which the title was first written.',
  },
})

type Filter = typeof ImageFilter.$inferInput

function imagesWhere(
  { include, search, slugs, mimeType, authors, used, missingAltText, addedAt }: Filter,
  context: Context,
): Prisma.ImageWhereInput {
  const filters: Prisma.ImageWhereInput[] = [usableImagesFilter(context)]
  if (include) {
    const identities = include.map((id) => parseReferencedId('image', String(id), 'include'))
    filters.push({ id: { in: identities.map((identity) => ('id' in identity ? identity.id : 0)) } })
  }
  if (search) {
    checkSearchText('search', search)
    const contains = escapeLikePattern(search)
    const part = { contains, mode: 'insensitive' } as const
    filters.push({ texts: { some: { OR: [{ title: part }, { altText: part }, { caption: part }, { credit: part }] } } })
  }
  if (slugs) filters.push({ slug: { in: slugs.map((slug) => slug.replaceAll('\0', '')) } })
  if (mimeType != null) filters.push({ mimeType: mimeType.replaceAll('\0', '') })
  if (authors)
    filters.push({ authorId: { in: authors.map((id) => parseReferenceId<never>('user', String(id), 'authors')) } })
  if (used != null) filters.push(usedImagesFilter(used, context))
  if (missingAltText) filters.push({ decorative: false, texts: { none: { altText: { not: '' } } } })
  if (addedAt) filters.push({ createdAt: toDateFilter(addedAt) })
  return { AND: filters }
}

function orderOf(orderBy: typeof ImageOrder.$inferInput | null | undefined): ListOrder {
  const descending = !orderBy || orderBy.direction === 'desc'
  const type = orderBy?.field === 'slug' ? 'text' : 'date'
  return {
    keys: [
      ...(orderBy ? [{ column: orderBy.field, type, descending } as const] : []),
      { column: 'id', type: 'integer', descending },
    ],
  }
}

const visibility = 'Visitors see the images of records that they may read. Users also see the images that they added.'

builder.queryField('image', (t) =>
  t.prismaField({
    type: Image,
    description: `An image by ID. ${visibility}`,
    args: { id: t.arg.id({ required: true, description: idDescription('image') }) },
    resolve: async (query, _root, args, context) => {
      const id = requireRecordId('image', args.id)
      const image = await context.reads.image.findFirst({
        ...query,
        where: { AND: [{ id }, usableImagesFilter(context)] },
      })
      if (image) return image
      throw notFoundError('image', 'id')
    },
  }),
)

addListQueries('image', {
  type: Image,
  filter: ImageFilter,
  order: ImageOrder,
  orderDescription: 'Sort order; by default newest first.',
  description: `Images, by default newest first. ${visibility}`,
  list: async ({ filter, orderBy }, context) => ({
    where: imagesWhere(filter ?? {}, context),
    order: orderOf(orderBy),
  }),
})
