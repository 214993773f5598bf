// Creates the mutation input for a record. After user errors, the next attempt leaves out the fields that they are about.
import { languageCode } from '../../basics/language.ts'
import { toRecordStatus } from '../../basics/record-status.ts'
import { findForbiddenTags } from '../../calendar/text/sanitize.ts'
import type { ToolErrorFragment } from '../../generated/graphql/graphql.ts'
import { kindByPlural, type Plural, type RecordKind } from '../../kinds.ts'
import type { MutationInput } from '../operations.ts'
import type { ImportState } from './import-state.ts'
import { hashValue, recordKey } from './ledger.ts'
import type { AnyRecord, SourceId, SourceText } from './source-records.ts'

export interface WriteAttempt {
  readonly record: AnyRecord
  /** The language of the operation: the original language of the record, or else another language of this service. */
  readonly language: string
  readonly imageProblem: string | undefined
  /** Error messages by the field, or the linked record (recordKey), that the mutation rejected. The next attempt omits it. */
  readonly refused: Map<string, string>
}

export type RecordWritePlan = Awaited<ReturnType<typeof planRecordWrite>>

export async function planRecordWrite({ record, language, imageProblem, refused }: WriteAttempt, state: ImportState) {
  const { ledger, planned, authors, languages } = state
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  let isComplete = imageProblem === undefined
  const { image, author, modifiedAt } = 'status' in record ? record : {}
  if (image && imageProblem !== undefined) {
    note(`The image ${image.url} stays on its site until an import can download it: ${imageProblem}`)
  }
  /** Returns the stored ID of a record that the event or category refers to. */
  const link = (kind: RecordKind, id: SourceId) => {
    const linked = ledger.findByAnyId(kind, id)
    const reason = linked && refused.get(recordKey(kind, linked.recordId))
    if (reason === undefined && (linked || planned.has(recordKey(kind, id)))) return linked?.recordId
    isComplete = false
    note(`The ${kind} ${id} is not linked${reason ? `: ${reason}` : ', because it was not imported before.'}`)
    return undefined
  }
  const authorId = author === undefined ? undefined : await authors(author)
  const values = {
    ...linkInputs(record, link),
    ...textInputs(record, language, languages, note),
    ...postInputs(record, authorId),
  }
  // Null clears a field that is empty on the site.
  const input: MutationInput = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null]))
  for (const [field, reason] of refused) {
    if (field in input && field !== 'slug') note(`${field} was left out: ${textOf(input[field])}. ${reason}`)
  }
  const source = [record.ids, modifiedAt, image?.url, imageProblem === undefined]
  return { input, digest: hashValue([input, source]), notes, isComplete }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)

/** Fields that are left out if the mutation rejects their values. The slug of a term can also be left out. */
const optionalFields: ReadonlySet<string> = new Set(['website', 'email', 'onlineUrl', 'coordinates'])

/** Marks the field or link of a user error as rejected. Returns false if the record cannot be written without it. */
export function omitRejectedField(
  { path, message }: ToolErrorFragment,
  { record, refused }: WriteAttempt,
  { input }: RecordWritePlan,
): boolean {
  const [field = '', index] = path
  const isTermSlug = field === 'slug' && !('status' in record)
  const kind: RecordKind | undefined = field === 'parentId' ? record.kind : kindByPlural[field as Plural]
  const links = input[field] as readonly { readonly id: string }[] | undefined
  const linkedId = field === 'parentId' ? input.parentId : links?.[Number(index)]?.id
  const key = kind ? recordKey(kind, Number(linkedId)) : field
  const canLeaveOut = kind ? linkedId !== undefined : optionalFields.has(field) || isTermSlug
  if (!canLeaveOut || refused.has(key)) return false
  refused.set(
    key,
    kind && field !== 'parentId' ? 'the record is in the trash of this service, or was deleted.' : message,
  )
  return true
}

function linkInputs(record: AnyRecord, link: (kind: RecordKind, id: SourceId) => number | undefined): MutationInput {
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

function textInputs(
  { kind, texts }: AnyRecord,
  language: string,
  languages: readonly string[],
  note: (text: string) => void,
): MutationInput {
  const own = texts[language]
  if (!own) throw new Error(`The record has no text in ${language}`)
  const others = Object.entries(texts).filter(([other]) => other !== language)
  const unknown = others.filter(([other]) => !languages.includes(other)).map(([other]) => other)
  if (unknown.length > 0)
    note(`The text in ${unknown.join(', ')} was left out: LANGUAGES of this service is ${languages.join(', ')}.`)
  const known = others.filter(([other]) => languages.includes(other)).sort(([a], [b]) => (a < b ? -1 : 1))
  const written = [own, ...known.map(([, text]) => text)]
  const removed = findForbiddenTags(
    written.map(({ description = '', excerpt = '' }) => description + excerpt).join('\n'),
  )
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

/** Properties of a record that are no input fields, or that the functions above convert. */
const notFields = new Set(
  `kind id ids originalLanguage texts image author modifiedAt parent isDate dates venues organizers categories tags`.split(
    ' ',
  ),
)

function postInputs(record: AnyRecord, authorId: number | undefined): MutationInput {
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
