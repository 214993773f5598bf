// Reads categories and tags.
import { z } from 'zod'
import { identifier, line, recordId } from './fields.ts'
import { languageOf, type ReadContext, type RecordVersion, reportUnknown, subjectOf } from './read-post.ts'
import type { SourceTerm } from './source-records.ts'

const term = z.object({
  id: recordId,
  name: line,
  slug: z.string().catch(''),
  description: line.optional(),
  parent: identifier,
})

const knownFields = new Set([
  ...[
    'id',
    'name',
    'slug',
    'description',
    'parent',
    'count',
    'taxonomy',
    'meta',
    'url',
    'urls',
    'link',
    '_links',
    'json_ld',
  ],
  ...[
    'term_group',
    'term_taxonomy_id',
    'term_id',
    'term_order',
    'filter',
    'lang',
    'translations',
    'wpml_current_locale',
  ],
  'wpml_translations',
])

export function readTerm(
  kind: SourceTerm['kind'],
  item: unknown,
  context: ReadContext,
): RecordVersion<SourceTerm> | undefined {
  const { data } = term.safeParse(item)
  const subject = subjectOf(kind, data?.id, data?.name ?? '')
  if (!data || data.id === undefined) return void context.findings.skip(subject, 'It has no ID.')
  if (data.name === '') return void context.findings.skip(subject, 'It has no name.')
  const language = languageOf(item, subject, context)
  if (!language) return undefined
  reportUnknown(Object(item), knownFields, kind, context.findings)
  const text = { name: data.name, description: data.description, excerpt: undefined, slug: data.slug }
  if (data.slug) context.terms[kind].set(data.slug, data.id)
  return { ...language, text, fields: { kind, id: data.id, parent: kind === 'tag' ? undefined : data.parent } }
}
