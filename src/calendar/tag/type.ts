import { builder } from '../../service/graphql/builder.ts'
import { type RecordContext, recordResolver } from '../../service/graphql/record-resolver.ts'
import { addTermFields, recordTypeOptions } from '../fields/common-fields.ts'
import { Term } from '../fields/interfaces.ts'
import { icalendarUrl, pageUrl } from '../rules/page-url.ts'
import { getServedText, selectServedSlug } from '../text/served-text.ts'
import { Translatable } from '../text/translatable.ts'

interface TagWithSlug {
  readonly id: number
  readonly texts: readonly { readonly slug: string; readonly source: string }[]
}

const tagUrl = (tag: TagWithSlug, context: RecordContext): string =>
  pageUrl(context, 'tag', [getServedText(tag, 'slug')], { id: tag.id, source: getServedText(tag, 'source') })

export const Tag = builder.prismaNode('Tag', {
  description: 'A tag of events.',
  ...recordTypeOptions(() => ({})),
  interfaces: [Translatable, Term],
  fields: (t) => ({
    url: t.field({
      type: 'URL',
      description: 'HTML page of the tag.',
      select: (_args, context) => selectServedSlug(context),
      resolve: recordResolver(tagUrl),
    }),
    icalendarUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'iCalendar feed of the events with the tag, to subscribe to; null without a slug.',
      select: (_args, context) => selectServedSlug(context),
      resolve: recordResolver((tag: TagWithSlug, context) => icalendarUrl(tagUrl(tag, context), context)),
    }),
  }),
})

addTermFields('tag', 'Number of published events with this tag.')
