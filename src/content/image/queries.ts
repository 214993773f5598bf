import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import type { SortKey } from '../../graphql/keyset.ts'
import { complexity, searchComplexity } from '../../graphql/limits/complexity.ts'
import { atMost } from '../../graphql/page-size.ts'
import { type Page, PageInterface, totalCount } from '../../graphql/pagination.ts'
import { dependsOn } from '../../response-cache/dependencies.ts'
import { idDescription, parseReference, requireId } from '../identify.ts'
import { postKinds } from '../kinds.ts'
import { plainConnection, plainPage } from '../list/plain-list.ts'
import { Image } from './type.ts'
import { usableImages } from './visibility.ts'

const ImageFilter = builder.inputType('ImageFilter', {
  description: 'Selects images. Criteria combine with AND.',
  fields: (t) => ({
    include: t.idList({ description: 'Only these images. Unknown IDs are ignored.' }),
    search: t.string({ description: 'Part of the title or the alternative text.', extensions: searchComplexity }),
    slugs: t.stringList({ description: 'Only images with one of these slugs.' }),
    mimeType: t.string({ description: 'Only images of this media type, such as `image/png`.' }),
  }),
})

type Filter = typeof ImageFilter.$inferInput

function imagesWhere({ include, search, slugs, mimeType }: Filter, context: Context): Prisma.ImageWhereInput {
  const filters: Prisma.ImageWhereInput[] = [usableImages(context)]
  if (include) {
    const identities = include.map((id) => parseReference('image', String(id), 'include'))
    filters.push({ id: { in: identities.map((identity) => ('id' in identity ? identity.id : 0)) } })
  }
  if (search) {
    // PostgreSQL rejects NUL; the other characters are wildcards of LIKE.
    const contains = search.replaceAll('\0', '').replace(/[\\%_]/g, '\\$&')
    const part = { contains, mode: 'insensitive' } as const
    filters.push({ OR: [{ title: part }, { altText: part }] })
  }
  if (slugs) filters.push({ slug: { in: slugs.map((slug) => slug.replaceAll('\0', '')) } })
  if (mimeType != null) filters.push({ mimeType: mimeType.replaceAll('\0', '') })
  return { AND: filters }
}

const ImagePage = builder.objectRef<Page<typeof Image.$inferType>>('ImagePage').implement({
  description: 'A numbered page of images.',
  interfaces: [PageInterface],
  fields: (t) => ({
    items: t.field({ type: [Image], description: 'The images of the page.', resolve: (page) => page.items() }),
  }),
})

const newestFirst: readonly SortKey[] = [{ column: 'id', type: 'integer', descending: true }]

const visibility = 'Visitors see the images of records that they may read. Users also see their own.'
/** Which images are visible depends on the records that have them. */
const dependencies = dependsOn('image', ...postKinds)

builder.queryFields((t) => ({
  image: t.prismaField({
    type: Image,
    description: `An image by ID. ${visibility}`,
    extensions: dependencies,
    args: { id: t.arg.id({ required: true, description: idDescription('image') }) },
    resolve: async (query, _root, args, context) => {
      const id = requireId('image', args.id)
      const image = await context.db.image.findFirst({ ...query, where: { AND: [{ id }, usableImages(context)] } })
      if (image) return image
      throw notFound('image', 'id')
    },
  }),
  images: t.connection(
    {
      type: Image,
      description: `Images, newest first. ${visibility}`,
      extensions: { ...complexity({ slicingArguments: ['first', 'last'] }), ...dependencies },
      args: { filter: t.arg({ type: ImageFilter, description: 'Selects the images.' }) },
      resolve: async (_root, args, context, info) => {
        const where = imagesWhere(args.filter ?? {}, context)
        return plainConnection<typeof Image.$inferType>(
          { kind: 'image', where, order: newestFirst },
          args,
          context,
          info,
        )
      },
    },
    {
      name: 'ImageConnection',
      description: 'A list of images with cursors.',
      fields: (field) => ({ totalCount: field.int(totalCount) }),
    },
    { name: 'ImageEdge', description: 'An image in a list.' },
  ),
  imagesPage: t.field({
    type: ImagePage,
    description: 'The list `images` with page numbers instead of cursors.',
    extensions: { ...complexity({ slicingArguments: ['perPage'] }), ...dependencies },
    args: {
      page: t.arg.int({ description: 'Page number, from 1.' }),
      perPage: t.arg.int({ description: `Number of images on a page. ${atMost}` }),
      filter: t.arg({ type: ImageFilter, description: 'Selects the images.' }),
    },
    resolve: (_root, args, context, info) => {
      const where = imagesWhere(args.filter ?? {}, context)
      return plainPage<typeof Image.$inferType>({ kind: 'image', where, order: newestFirst }, args, context, info)
    },
  }),
}))
