// The input of the mutation that writes a record of a legacy site.
import { languageCode } from '../../basics/language.ts'
import { toRecordStatus } from '../../basics/record-status.ts'
import { removedTags } from '../../calendar/text/sanitize.ts'
import type { RecordKind } from '../../kinds.ts'
import type { MutationInput } from '../mutations.ts'
import type { SourceId, SourceKind, SourceText } from './source-records.ts'

export interface InputContext {
  /** The language of the operation: the original one, or another one of this site. */
  readonly language: string
  readonly languages: readonly string[]
  readonly authorId: number | undefined
  /** The ID here of a record that the event or category refers to; undefined if it is not linked. */
  link(kind: RecordKind, id: SourceId): number | undefined
  /** Records for the report what differs from the site. */
  note(text: string): void
}

/** Null clears what the site lacks. */
export function recordInput(record: SourceKind, context: InputContext): MutationInput {
  const input = { ...linkInputs(record, context), ...textInputs(record, context), ...postInputs(record, context) }
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value ?? null]))
}

function linkInputs(record: SourceKind, { link }: InputContext): MutationInput {
  const linksOf = (kind: RecordKind, ids: readonly SourceId[]) =>
    [...new Set(ids.flatMap((id) => link(kind, id) ?? []))].map((id) => ({ id: String(id) }))
  const parentOf = (kind: RecordKind, parent: SourceId | undefined) =>
    linksOf(kind, parent === undefined ? [] : [parent])[0]?.id
  if (record.kind === 'category') return { parentId: parentOf('category', record.parent) }
  if (record.kind !== 'event') return {}
  return {
    parentId: parentOf('event', record.parent),
    venues: linksOf('venue', record.venues),
    organizers: linksOf('organizer', record.organizers),
    categories: linksOf('category', record.categories),
    tags: linksOf('tag', record.tags),
  }
}

function textInputs({ kind, texts }: SourceKind, { language, languages, note }: InputContext): MutationInput {
  const own = texts[language]
  if (!own) throw new Error(`The record has no text in ${language}`)
  const others = Object.entries(texts).filter(([other]) => other !== language)
  const unknown = others.filter(([other]) => !languages.includes(other)).map(([other]) => other)
  if (unknown.length > 0)
    note(`The text in ${unknown.join(', ')} was left out: LANGUAGES here is ${languages.join(', ')}.`)
  const known = others.filter(([other]) => languages.includes(other)).sort(([a], [b]) => (a < b ? -1 : 1))
  const written = [own, ...known.map(([, text]) => text)]
  const removed = removedTags(written.map(({ description = '', excerpt = '' }) => description + excerpt).join('\n'))
  if (removed.length > 0) note(`These tags are not allowed in descriptions and were removed: ${removed.join(', ')}.`)
  const isTerm = kind === 'category' || kind === 'tag'
  const fieldsOf = ({ description, excerpt, slug }: SourceText) => {
    const fields = { description: description ?? null, slug: slug || null }
    return isTerm ? fields : { ...fields, excerpt: excerpt ?? null }
  }
  const translations = known.map(([other, text]) => {
    return { language: languageCode(other), name: text.name.trim() || null, ...fieldsOf(text) }
  })
  return { [kind === 'event' ? 'title' : 'name']: own.name, ...fieldsOf(own), translations }
}

/** What is no field of the input, or is added to it by the other functions. */
const notFields = new Set(
  `kind id ids originalLanguage texts image author modifiedAt parent venues organizers categories tags`.split(' '),
)

function postInputs(record: SourceKind, { authorId }: InputContext): MutationInput {
  if (!('status' in record)) return {}
  return {
    ...Object.fromEntries(Object.entries(record).filter(([name]) => !notFields.has(name))),
    status: toRecordStatus(record.status),
    publishedAt: record.publishedAt ?? record.modifiedAt,
    ...(record.kind === 'event' && {
      eventStatus: record.eventStatus.toUpperCase(),
      attendanceMode: record.attendanceMode.toUpperCase(),
    }),
    ...(authorId !== undefined && { authorId: String(authorId) }),
  }
}
