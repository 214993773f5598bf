// What the mutation of a record is asked to write, and what the next attempt leaves out after its errors.
import type { ToolErrorFragment } from '../../generated/graphql/graphql.ts'
import { kinds, type RecordKind } from '../../kinds.ts'
import type { ImportState } from './import-state.ts'
import { digestOf, recordKey } from './ledger.ts'
import { recordInput } from './record-input.ts'
import type { SourceId, SourceKind } from './source-records.ts'

export interface Attempt {
  readonly record: SourceKind
  readonly language: string
  readonly imageProblem: string | undefined
  /** Why the mutation refused a field, or a linked record as `kind id` with its ID here. The next attempt lacks them. */
  readonly refused: Map<string, string>
}

export type Plan = Awaited<ReturnType<typeof planOf>>

export async function planOf({ record, language, imageProblem, refused }: Attempt, state: ImportState) {
  const { ledger, planned, authors, languages } = state
  const notes: string[] = []
  const note = (text: string) => void notes.push(text)
  let isComplete = imageProblem === undefined
  const { image, author, modifiedAt } = 'status' in record ? record : {}
  if (image && imageProblem !== undefined) {
    note(`The image ${image.url} stays on its site until an import can download it: ${imageProblem}`)
  }
  const link = (kind: RecordKind, id: SourceId) => {
    const linked = ledger.findByAnyId(kind, id)
    const reason = linked && refused.get(recordKey(kind, linked.recordId))
    if (reason === undefined && (linked || planned.has(recordKey(kind, id)))) return linked?.recordId
    isComplete = false
    note(`The ${kind} ${id} is not linked${reason ? `: ${reason}` : ', because it was not imported before.'}`)
    return undefined
  }
  const authorId = author === undefined ? undefined : await authors(author)
  const input = recordInput(record, { language, languages, authorId, link, note })
  for (const [field, reason] of refused) {
    if (field in input && field !== 'slug') note(`${field} was left out: ${textOf(input[field])}. ${reason}`)
  }
  const source = [record.ids, modifiedAt, image?.url, imageProblem === undefined]
  return { input, digest: digestOf([input, source]), notes, isComplete }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)

/** Fields without which a record is written, too. A term keeps its slug if another one has the new slug. */
const optionalFields: ReadonlySet<string> = new Set(['website', 'email', 'onlineUrl', 'coordinates'])
const linkFields = new Map<string, RecordKind>(
  Object.entries(kinds).map(([kind, { plural }]) => [plural, kind as RecordKind]),
)

/** Whether the next attempt can do without what the error is about: an optional field, or a link. */
export function leaveOut({ path, message }: ToolErrorFragment, { record, refused }: Attempt, { input }: Plan): boolean {
  const [field = '', index] = path
  const isTermSlug = field === 'slug' && !('status' in record)
  const kind = field === 'parentId' ? record.kind : linkFields.get(field)
  const links = input[field] as readonly { readonly id: string }[] | undefined
  const linkedId = field === 'parentId' ? input.parentId : links?.[Number(index)]?.id
  const key = kind ? recordKey(kind, Number(linkedId)) : field
  const canLeaveOut = kind ? linkedId !== undefined : optionalFields.has(field) || isTermSlug
  if (!canLeaveOut || refused.has(key)) return false
  refused.set(key, kind && field !== 'parentId' ? 'it is in the trash here, or was deleted.' : message)
  return true
}
