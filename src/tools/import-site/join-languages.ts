// Joins the languages of a record, which a site shows as one record per language or as one with the same ID in each root.
import { ownId } from './fields.ts'
import type { Findings } from './findings.ts'
import { type RecordVersion, subjectOf } from './read-post.ts'
import type { SourceEvent, SourceId, SourceKind, SourceText } from './source-records.ts'

/** The records of one language root. */
export interface RootVersions {
  readonly root: URL
  readonly language: string
  readonly versions: readonly RecordVersion[]
}

interface Node {
  readonly version: RecordVersion
  /** Roots with the same number share their IDs. */
  readonly space: number
  /** Whether its root shows translations of the first root under known IDs. */
  readonly isTranslated: boolean
  group: Group
}

interface Group {
  readonly nodes: Node[]
}

/** The first root is the one of the original language. */
export function joinLanguages(roots: readonly RootVersions[], findings: Findings): SourceKind[] {
  const [main, ...others] = roots
  if (!main) return []
  const relations: readonly IdRelation[] = ['same', ...others.map((other) => relateIds(main, other))]
  const nodes = collectNodes(roots, relations)
  const byId = new Map<string, Node[]>()
  for (const node of nodes.values()) {
    const key = idKey(node.version, node.space)
    byId.set(key, [...(byId.get(key) ?? []), node])
  }
  for (const same of byId.values()) uniteAll(same)
  for (const node of nodes.values()) {
    for (const id of node.version.translations?.values() ?? []) {
      for (const other of byId.get(`${node.version.fields.kind}:${node.space}:${id}`) ?? []) unite(node, other)
    }
  }
  uniteBySlug([...nodes.values()])
  const groups = [...new Set([...nodes.values()].map(({ group }) => group))]
  return toRecords(groups, roots, findings)
}

const idKey = ({ fields }: RecordVersion, space: number) => `${fields.kind}:${space}:${fields.id}`

/** Each language of each record once, although several roots may show it. */
function collectNodes(roots: readonly RootVersions[], relations: readonly IdRelation[]): Map<string, Node> {
  const nodes = new Map<string, Node>()
  for (const [index, { versions }] of roots.entries()) {
    const relation = relations[index] ?? 'other'
    const space = relation === 'other' ? index : 0
    for (const version of versions) {
      const key = `${idKey(version, space)}:${version.language}`
      if (nodes.has(key)) continue
      const group: Group = { nodes: [] }
      const node: Node = { version, space, isTranslated: relation === 'same', group }
      group.nodes.push(node)
      nodes.set(key, node)
    }
  }
  return nodes
}

/** A record has one text in each language: groups with the same language stay apart. */
function unite(one: Node | undefined, other: Node): void {
  if (!one || one.group === other.group) return
  const languages = new Set(one.group.nodes.map(({ version }) => version.language))
  if (other.group.nodes.some(({ version }) => languages.has(version.language))) return
  for (const node of other.group.nodes) {
    one.group.nodes.push(node)
    node.group = one.group
  }
}

function uniteAll([first, ...others]: readonly Node[]): void {
  for (const other of others) unite(first, other)
}

/** Only where exactly one record of each language has the slug, and the start. */
function uniteBySlug(nodes: readonly Node[]): void {
  const candidates = nodes.filter(({ version }) => version.translations === undefined && version.text.slug !== '')
  const bySlug = Map.groupBy(candidates, ({ version }) => slugKey(version))
  for (const same of bySlug.values()) {
    const languages = new Set(same.map(({ version }) => version.language))
    if (languages.size === same.length) uniteAll(same)
  }
}

function slugKey({ fields, text }: RecordVersion): string {
  return `${fields.kind}:${text.slug}:${fields.kind === 'event' ? startOf(fields) : ''}`
}

const startOf = ({ startsAt, startsLocal, timeZone }: Pick<SourceEvent, 'startsAt' | 'startsLocal' | 'timeZone'>) =>
  startsAt?.toISOString() ?? `${startsLocal} ${timeZone}`

/** How the IDs of a root relate to those of the first: the same records, other ones, or none in common. */
type IdRelation = 'same' | 'other' | 'none'

function relateIds(main: RootVersions, other: RootVersions): IdRelation {
  // Language plugins have all languages in one database.
  if (other.versions.some(({ translations }) => translations !== undefined)) return 'same'
  const versionsByKey = new Map(main.versions.map((version) => [idKey(version, 0), version]))
  const pairs = other.versions.flatMap((version) => {
    const same = versionsByKey.get(idKey(version, 0))
    return same ? [[same, version] as const] : []
  })
  const events = pairs.filter(([{ fields }]) => fields.kind === 'event')
  const compared = events.length > 0 ? events : pairs
  if (compared.length === 0) return main.root.origin === other.root.origin ? 'none' : 'other'
  const equal = compared.filter(([one, two]) => isSameRecord(one, two))
  // Not all: a record may have changed between the readings of two roots.
  return equal.length >= compared.length * 0.9 ? 'same' : 'other'
}

function isSameRecord(one: RecordVersion, two: RecordVersion): boolean {
  if (one.fields.kind === 'event' && two.fields.kind === 'event') return startOf(one.fields) === startOf(two.fields)
  return one.text.slug === two.text.slug || one.text.name === two.text.name
}

function toRecords(groups: readonly Group[], roots: readonly RootVersions[], findings: Findings): SourceKind[] {
  const languages = [
    ...new Set(roots.flatMap(({ language, versions }) => [language, ...versions.map((each) => each.language)])),
  ]
  const records: SourceKind[] = []
  /** The ID of each record by the ID of each of its languages, for the links of events. */
  const recordIds = new Map<string, SourceId>()
  const chosen: { readonly original: Node; readonly record: SourceKind }[] = []
  for (const { nodes } of groups) {
    const sorted = nodes.toSorted(
      (a, b) =>
        Number(isHidden(a.version)) - Number(isHidden(b.version)) ||
        languages.indexOf(a.version.language) - languages.indexOf(b.version.language),
    )
    const [original] = sorted
    if (!original) continue
    const { version } = original
    const { kind, id } = version.fields
    const subject = subjectOf(kind, id, version.text.name)
    if (isUnjoined(original, nodes, roots)) findings.notJoined(subject, version.language)
    const record = toRecord(original, sorted, findings)
    for (const node of nodes) recordIds.set(idKey(node.version, node.space), record.id)
    chosen.push({ original, record })
  }
  for (const { original, record } of chosen) records.push(withLinks(record, original.space, recordIds))
  return records
}

const isHidden = ({ fields }: RecordVersion) => 'status' in fields && fields.status !== 'publish'

/** A record of another language alone, although nothing says that it has no original. */
function isUnjoined({ version, isTranslated }: Node, nodes: readonly Node[], roots: readonly RootVersions[]): boolean {
  const [main] = roots
  if (!main || nodes.length > 1 || version.language === main.language) return false
  return version.translations === undefined && !isTranslated
}

function toRecord(original: Node, sorted: readonly Node[], findings: Findings): SourceKind {
  const { version } = original
  const { fields } = version
  const subject = subjectOf(fields.kind, fields.id, version.text.name)
  const texts: Record<string, SourceText> = { [version.language]: version.text }
  // Another site, such as one per language, uses the same IDs for other records.
  const idOf = ({ version, space }: Node) =>
    space === 0 ? version.fields.id : ownId(`${version.language}:${version.fields.kind}:${version.fields.id}`)
  const id = idOf(original)
  const ids: Record<string, SourceId> = { [version.language]: id }
  let modifiedAt = 'modifiedAt' in fields ? fields.modifiedAt : undefined
  for (const node of sorted.slice(1)) {
    const other = node.version
    if (isHidden(other) && !isHidden(version)) {
      findings.note(subject, `Its text in ${other.language} is not published, and was left out.`)
      continue
    }
    ids[other.language] = idOf(node)
    if ('modifiedAt' in other.fields && other.fields.modifiedAt) {
      const isLater = !modifiedAt || other.fields.modifiedAt > modifiedAt
      if (isLater) modifiedAt = other.fields.modifiedAt
    }
    // A site answers with the original text where it has no translation.
    if (!isSameText(other.text, version.text)) texts[other.language] = other.text
  }
  const record = { ...fields, id, ids, texts, originalLanguage: version.language }
  return 'modifiedAt' in record ? { ...record, modifiedAt } : record
}

function isSameText(one: SourceText, two: SourceText): boolean {
  const values = (text: SourceText) => [text.name, text.description ?? '', text.excerpt ?? '', text.slug].join('\0')
  return values(one) === values(two)
}

function withLinks(record: SourceKind, space: number, recordIds: ReadonlyMap<string, SourceId>): SourceKind {
  const linked = (kind: SourceKind['kind'], id: SourceId) => recordIds.get(`${kind}:${space}:${id}`) ?? id
  const all = (kind: SourceKind['kind'], ids: readonly SourceId[]) => [...new Set(ids.map((id) => linked(kind, id)))]
  if (record.kind === 'category' && record.parent !== undefined) {
    return { ...record, parent: linked('category', record.parent) }
  }
  if (record.kind !== 'event') return record
  return {
    ...record,
    parent: record.parent === undefined ? undefined : linked('event', record.parent),
    venues: all('venue', record.venues),
    organizers: all('organizer', record.organizers),
    categories: all('category', record.categories),
    tags: all('tag', record.tags),
  }
}
