import { builder } from '../../graphql/builder.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { databaseIdOfTerm, termFields } from '../fields.ts'
import { nodeWhere } from '../identify.ts'
import { countField } from '../list/term-counts.ts'
import { pageUrl } from '../page-url.ts'
import { servedSlug, textOf } from '../text/served-text.ts'

interface TagWithSlug {
  readonly id: number
  readonly texts: readonly { readonly slug: string; readonly source: string }[]
}

export const Tag = builder.prismaNode('Tag', {
  description: 'A tag of events.',
  id: { field: 'id', description: 'Global ID for `node`.' },
  nullable: true,
  select: { id: true },
  findUnique: (id) => nodeWhere(id, {}),
  fields: (t) => ({
    databaseId: t.exposeInt('id', databaseIdOfTerm),
    language: t.string(termFields.language),
    translations: t.field(termFields.translations('tag')),
    name: t.string({ ...termFields.name, description: 'Plain text, never empty.' }),
    description: t.string(termFields.description),
    slug: t.string(termFields.slug),
    url: t.field({
      type: 'URL',
      description: 'HTML page of the tag.',
      select: (_args, context) => servedSlug(context),
      resolve: fromRecord((tag: TagWithSlug, context) =>
        pageUrl(context, ['tag', textOf(tag, 'slug')], { id: tag.id, source: textOf(tag, 'source') }),
      ),
    }),
    count: t.int({
      description: 'Number of published events with this tag.',
      ...countField,
    }),
  }),
})
