// Loads the translations of records with one query per operation and kind. A Prisma selection would conflict with the one of
// the served text, and Pothos would then run a query per record.
import DataLoader from 'dataloader'
import { type GraphQLResolveInfo, isAbstractType } from 'graphql'
import { memoizeByObject } from '../../basics/memoize.ts'
import {
  type AnalyzedOperation,
  type AnalyzedSelection,
  analyzedOperation,
} from '../../engine/execution/analyze-operation.ts'
import { isPost, kinds, type RecordKind, recordKinds } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { pageUrl } from '../rules/page-url.ts'
import type { StoredTranslation } from '../text/translation-type.ts'
import { delegateOf } from './records.ts'

/** Rows with written text; other rows only contain copies. */
const isWritten = { isEmpty: false }
const columns = { language: true, name: true, slug: true, source: true, written: true } as const

/** What is only loaded if an operation selects it. */
type Part = 'description' | 'excerpt' | 'url'

export type TextRow = StoredTranslation & { readonly source: string } & Readonly<Record<string, unknown>>

type TranslationLoader = DataLoader<number, StoredTranslation[]>

function createLoader(context: Context, kind: RecordKind, parts: ReadonlySet<Part>): TranslationLoader {
  const languages = [...context.settings.languages]
  const key = `${kind}Id`
  const select = {
    ...columns,
    [key]: true,
    description: parts.has('description'),
    ...(isPost(kind) && { excerpt: parts.has('excerpt') }),
    ...(parts.has('url') && slugsOfRecord(kind, languages)),
  }
  return new DataLoader(async (ids) => {
    const where = { [key]: { in: [...ids] }, language: { in: languages }, written: isWritten }
    const orderBy = [{ language: 'asc' }, { [key]: 'asc' }]
    const query = { where, select, orderBy }
    const rows = (await delegateOf(context, `${kind}Text`).findMany(query)) as TextRow[]
    const texts = parts.has('url') ? rows.map((row) => ({ ...row, url: urlOf(context, kind, row) })) : rows
    const byRecord = Map.groupBy(texts, (row) => (row as TextRow)[key])
    return ids.map((id) => byRecord.get(id) ?? [])
  })
}

/** Selects what the URL needs besides the text: whether a post is in the trash, or the slugs of the ancestors of a category. */
export function slugsOfRecord(kind: RecordKind, languages: string[]) {
  if (isPost(kind)) return { [kind]: { select: { status: true } } }
  if (kind !== 'category') return {}
  const texts = { where: { language: { in: languages } }, select: { language: true, slug: true } }
  const ancestors = { orderBy: { depth: 'desc' }, select: { ancestor: { select: { texts } } } }
  return { category: { select: { ancestors } } }
}

interface Slug {
  readonly language: string
  readonly slug: string
}

/** The URL of the page in the language of the row; null if the site has no page in it. */
export function urlOf({ settings }: Pick<Context, 'settings'>, kind: RecordKind, row: TextRow): string | null {
  const { language, source } = row
  if (!settings.languageFallback && source !== language) return null
  const { status, ancestors } = (row[kind] ?? {}) as {
    status?: string
    ancestors?: { ancestor: { texts: Slug[] } }[]
  }
  const branch = ancestors?.map(({ ancestor }) => ancestor.texts.find((text) => text.language === language)?.slug ?? '')
  const slugs = branch ?? [status === 'trash' ? '' : row.slug]
  return pageUrl({ settings, language }, kind, slugs, { id: Number(row[`${kind}Id`]), source })
}

/** Mutations of one operation run one after another, and each reads what it wrote. */
const loadersOf = memoizeByObject((_context: Context) => new Map<string, TranslationLoader>())

/** The translations of a record, with what the operation selects of the translations of its kind. */
export async function translationsOf(
  context: Context,
  kind: RecordKind,
  id: number,
  info: GraphQLResolveInfo,
): Promise<StoredTranslation[]> {
  const operation = analyzedOperation(info)
  const parts = operation ? partsOf(operation).get(kind) : undefined
  const loaders = loadersOf(context)
  const key = `${kind} ${[...(parts ?? [])]} ${context.writes.all.length}`
  const loader = loaders.get(key) ?? createLoader(context, kind, parts ?? new Set())
  loaders.set(key, loader)
  return loader.load(id)
}

/** The parts of translations that an operation selects, by the kind of their record. */
const partsOf = memoizeByObject(({ schema, root }: AnalyzedOperation): ReadonlyMap<RecordKind, ReadonlySet<Part>> => {
  const parts = new Map(recordKinds.map((kind) => [kind, new Set<Part>()]))
  const visited = new Set<AnalyzedSelection>()
  const kindsOf = ({ type }: AnalyzedSelection): readonly RecordKind[] => {
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type]
    return recordKinds.filter((kind) => types.some(({ name }) => name === kinds[kind].type))
  }
  const visit = (selection: AnalyzedSelection): void => {
    if (visited.has(selection)) return
    visited.add(selection)
    for (const part of selection.parts) {
      if (!part.selection) continue
      if (part.kind === 'field' && part.type.name === 'Translation') {
        for (const kind of kindsOf(selection)) addParts(part.selection, parts.get(kind) as Set<Part>)
      } else visit(part.selection)
    }
  }
  visit(root)
  return parts
})

const partOfField: Readonly<Record<string, Part>> = {
  ...{ description: 'description', descriptionHtml: 'description' },
  ...{ excerpt: 'excerpt', excerptHtml: 'excerpt', url: 'url' },
}

function addParts(selection: AnalyzedSelection, parts: Set<Part>): void {
  for (const field of selection.parts) {
    if (field.kind === 'fragment') addParts(field.selection, parts)
    else {
      const part = partOfField[field.definition.name]
      if (part) parts.add(part)
    }
  }
}
