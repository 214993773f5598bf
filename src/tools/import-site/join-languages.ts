// Joins the translations of a record. A site has one record per language, or the same ID in the REST root of each language.
import { deriveId } from './fields.ts'
import type { ImportFindings } from './findings.ts'
import type { RecordVersion } from './read-post.ts'
import type { AnyRecord, SourceEvent, SourceId, SourceText } from './source-records.ts'

export interface RootRecords {
  readonly root: URL
  readonly language: string
  readonly versions: readonly RecordVersion[]
}

interface Node {
  readonly version: RecordVersion
  /** Number of the ID space. In roots with the same number, equal IDs identify the same record. */
  readonly space: number
  /** Whether the root is known to show the records of the first root in another language. */
  readonly isTranslated: boolean
  /** All translations of the record, including this one. */
  group: Node[]
}

/** Returns one record for all its translations. The first root has the original language. */
export function joinTranslations(roots: readonly RootRecords[], findings: ImportFindings): AnyRecord[] {
  const [main, ...others] = roots
  if (!main) return []
  const relations: readonly IdRelation[] = ['same', ...others.map((other) => relateIds(main, other))]
  const nodes = collectNodes(roots, relations)
  const byId = Map.groupBy(nodes, ({ version, space }) => idKey(version, space))
  for (const same of byId.values()) uniteAll(same)
  for (const node of nodes) {
    for (const id of node.version.translations?.values() ?? []) {
      for (const other of byId.get(`${node.version.fields.kind}:${node.space}:${id}`) ?? []) unite(node, other)
    }
  }
  uniteBySlug(nodes)
  return toRecords([...new Set(nodes.map(({ group }) => group))], roots, findings)
}

const idKey = ({ fields }: RecordVersion, space: number) => `${fields.kind}:${space}:${fields.id}`

/** Returns each translation of each record once, even if several roots contain it. */
function collectNodes(roots: readonly RootRecords[], relations: readonly IdRelation[]): Node[] {
  const nodes = new Map<string, Node>()
  for (const [index, { versions }] of roots.entries()) {
    const relation = relations[index] ?? 'other'
    const space = relation === 'other' ? index : 0
    for (const version of versions) {
      const key = `${idKey(version, space)}:${version.language}`
      if (nodes.has(key)) continue
      const node: Node = { version, space, isTranslated: relation === 'same', group: [] }
      node.group.push(node)
      nodes.set(key, node)
    }
  }
  return [...nodes.values()]
}

/** Joins the groups of two translations, unless both groups have the same language: a record has one text per language. */
function unite(one: Node, { group }: Node): void {
  const languages = new Set(one.group.map(({ version }) => version.language))
  if (group.some(({ version }) => languages.has(version.language))) return
  for (const node of group) {
    one.group.push(node)
    node.group = one.group
  }
}

function uniteAll([first, ...others]: readonly Node[]): void {
  for (const other of others) if (first) unite(first, other)
}

/** Joins records with the same slug and, for events, the same start, if there is at most one in each language. */
function uniteBySlug(nodes: readonly Node[]): void {
  const candidates = nodes.filter(({ version }) => version.translations === undefined && version.text.slug !== '')
  const bySlug = Map.groupBy(candidates, ({ version: { fields, text } }) =>
    [fields.kind, text.slug, fields.kind === 'event' ? startOf(fields) : ''].join(),
  )
  for (const same of bySlug.values()) {
    const languages = new Set(same.map(({ version }) => version.language))
    if (languages.size === same.length) uniteAll(same)
  }
}

const startOf = ({ startsAt, startsLocal, timeZone }: Pick<SourceEvent, 'startsAt' | 'startsLocal' | 'timeZone'>) =>
  startsAt?.toISOString() ?? `${startsLocal} ${timeZone}`

/** How the IDs of a root relate to the IDs of the first root: equal IDs mean the same or other records, or none are equal. */
type IdRelation = 'same' | 'other' | 'none'

function relateIds(main: RootRecords, other: RootRecords): IdRelation {
  // Language plugins such as Polylang store all languages in one database.
  if (other.versions.some(({ translations }) => translations !== undefined)) return 'same'
  const versionsByKey = new Map(main.versions.map((version) => [idKey(version, 0), version]))
  const shared = other.versions.filter((version) => versionsByKey.has(idKey(version, 0)))
  const events = shared.filter(({ fields }) => fields.kind === 'event')
  const compared = events.length > 0 ? events : shared
  if (compared.length === 0) return main.root.origin === other.root.origin ? 'none' : 'other'
  const equal = compared.filter((version) => isSameRecord(versionsByKey.get(idKey(version, 0)), version))
  // 90 %, because records may change between reading the two roots.
  return equal.length >= compared.length * 0.9 ? 'same' : 'other'
}

function isSameRecord(one: RecordVersion | undefined, two: RecordVersion): boolean {
  if (one?.fields.kind === 'event' && two.fields.kind === 'event') return startOf(one.fields) === startOf(two.fields)
  return one?.text.slug === two.text.slug || one?.text.name === two.text.name
}

function toRecords(groups: readonly Node[][], roots: readonly RootRecords[], findings: ImportFindings): AnyRecord[] {
  const languages = [
    ...new Set(roots.flatMap((root) => [root.language, ...root.versions.map((each) => each.language)])),
  ]
  const order = ({ version }: Node) => (isHidden(version) ? languages.length : 0) + languages.indexOf(version.language)
  /** The ID of the joined record by the ID of each translation, to update the links between records. */
  const recordIds = new Map<string, SourceId>()
  const chosen = groups.flatMap((nodes) => {
    const [original, ...translations] = nodes.toSorted((a, b) => order(a) - order(b))
    if (!original) return []
    const record = toRecord(original, translations, languages[0], findings)
    for (const node of nodes) recordIds.set(idKey(node.version, node.space), record.id)
    return [{ record, space: original.space }]
  })
  return chosen.map(({ record, space }) =>
    withLinks(record, (kind, id) => recordIds.get(`${kind}:${space}:${id}`) ?? id),
  )
}

const isHidden = ({ fields }: RecordVersion) => 'status' in fields && fields.status !== 'publish'

function toRecord(
  { version, space, isTranslated }: Node,
  translations: readonly Node[],
  mainLanguage: string | undefined,
  findings: ImportFindings,
): AnyRecord {
  const { fields, language, text } = version
  const subject = { kind: fields.kind, id: fields.id, name: text.name }
  const isAlone = translations.length === 0 && version.translations === undefined
  // A record in another language without an original, which the site may have.
  if (isAlone && language !== mainLanguage && !isTranslated) findings.notJoined(subject, language)
  // In another ID space, such as a separate site per language, the ID can belong to another record.
  const idOf = (each: RecordVersion, space: number) =>
    space === 0 ? each.fields.id : deriveId(`${each.language}:${each.fields.kind}:${each.fields.id}`)
  const id = idOf(version, space)
  const ids: Record<string, SourceId> = { [language]: id }
  const texts: Record<string, SourceText> = { [language]: text }
  const written = [version]
  for (const { version: other, space } of translations) {
    if (isHidden(other) && !isHidden(version)) {
      findings.note(subject, `Its text in ${other.language} is not published, and was left out.`)
      continue
    }
    ids[other.language] = idOf(other, space)
    written.push(other)
    // Sites send the original text in place of a missing translation: an equal text is no translation.
    if (!isSameText(other.text, text)) texts[other.language] = other.text
  }
  const record = { ...fields, id, ids, texts, originalLanguage: language }
  if (!('modifiedAt' in record)) return record
  const times = written.flatMap(({ fields }) => ('modifiedAt' in fields ? (fields.modifiedAt?.getTime() ?? []) : []))
  return { ...record, modifiedAt: times.length > 0 ? new Date(Math.max(...times)) : undefined }
}

function isSameText(one: SourceText, two: SourceText): boolean {
  const values = (text: SourceText) => [text.name, text.description ?? '', text.excerpt ?? '', text.slug].join('\0')
  return values(one) === values(two)
}

function withLinks(record: AnyRecord, linked: (kind: AnyRecord['kind'], id: SourceId) => SourceId): AnyRecord {
  if (!('parent' in record)) return record
  const parent = record.parent === undefined ? undefined : linked(record.kind, record.parent)
  if (record.kind !== 'event') return { ...record, parent }
  const all = (kind: AnyRecord['kind'], ids: readonly SourceId[]) => [...new Set(ids.map((id) => linked(kind, id)))]
  return {
    ...record,
    parent,
    venues: all('venue', record.venues),
    organizers: all('organizer', record.organizers),
    categories: all('category', record.categories),
    tags: all('tag', record.tags),
  }
}
