// Loads the translations of records with one query per operation and kind. A Prisma selection would conflict with the one of
// the served text, and Pothos would then run a query per record.
import DataLoader from 'dataloader'
import { type GraphQLResolveInfo, isAbstractType } from 'graphql'
import { memoizeByObject } from '../../basics/memoize.ts'
import {
  type AnalyzedField,
  type AnalyzedOperation,
  type AnalyzedSelection,
  findAnalyzedOperation,
} from '../../engine/execution/analyze-operation.ts'
import { isPost, kinds, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { pageUrl } from '../rules/page-url.ts'
import type { StoredTranslation } from '../text/translation-type.ts'
import { getRecordReads } from './records.ts'

/** Rows with written text; other rows only contain copies. */
const isWritten = { isEmpty: false }
const columns = { language: true, name: true, slug: true, source: true, written: true } as const

export type TextRow = StoredTranslation & { readonly source: string } & Readonly<Record<string, unknown>>

type TranslationLoader = DataLoader<number, StoredTranslation[]>

/** Long texts and URLs are only loaded if the operation selects them. */
function createLoader(context: Context, kind: RecordKind, selected: ReadonlySet<string>): TranslationLoader {
  const withUrl = selected.has('url')
  const languages = [...context.settings.languages]
  const key = `${kind}Id`
  const select = {
    ...columns,
    [key]: true,
    description: selected.has('description') || selected.has('descriptionHtml'),
    ...(isPost(kind) && { excerpt: selected.has('excerpt') || selected.has('excerptHtml') }),
    ...(withUrl && slugsSelect(kind, languages)),
  }
  return new DataLoader(async (ids) => {
    const where = { [key]: { in: [...ids] }, language: { in: languages }, written: isWritten }
    const orderBy = [{ language: 'asc' }, { [key]: 'asc' }]
    const query = { where, select, orderBy }
    const rows = (await getRecordReads(context, `${kind}Text`).findMany(query)) as TextRow[]
    const texts = withUrl ? rows.map((row) => ({ ...row, url: translationUrl(context, kind, row) })) : rows
    const byRecord = Map.groupBy(texts, (row) => (row as TextRow)[key])
    return ids.map((id) => byRecord.get(id) ?? [])
  })
}

/** Selects the columns for `translationUrl`: the status of a post, or the slugs of the ancestors of a category. */
export function slugsSelect(kind: RecordKind, languages: string[]) {
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

/** The URL of the page in the language of the row; null if the record has no page in this language. */
export function translationUrl({ settings }: Pick<Context, 'settings'>, kind: RecordKind, row: TextRow): string | null {
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

/** A new loader after each write of the operation: a later mutation must not get rows from before the write. */
const loadersOf = memoizeByObject((_context: Context) => new Map<string, TranslationLoader>())

/** The translations of a record, with what the operation selects of the translations of its kind. */
export async function loadTranslations(
  context: Context,
  kind: RecordKind,
  id: number,
  info: GraphQLResolveInfo,
): Promise<StoredTranslation[]> {
  const operation = findAnalyzedOperation(info)
  const loaders = loadersOf(context)
  const key = `${kind} ${context.writes.all.length}`
  const loader = loaders.get(key) ?? createLoader(context, kind, operation ? selectedOf(operation, kind) : new Set())
  loaders.set(key, loader)
  return loader.load(id)
}

/** The names of the fields that an operation selects of the translations of a kind. */
function selectedOf({ schema, fields }: AnalyzedOperation, kind: RecordKind): ReadonlySet<string> {
  const isOfKind = ({ parent }: AnalyzedField) =>
    (isAbstractType(parent) ? schema.getPossibleTypes(parent) : [parent]).some(({ name }) => name === kinds[kind].type)
  const namesOf = ({ parts }: AnalyzedSelection): string[] =>
    parts.flatMap((part) => (part.kind === 'field' ? part.definition.name : namesOf(part.selection)))
  const all = [...fields.values()].flat().filter((field) => field.type.name === 'Translation' && isOfKind(field))
  return new Set(all.flatMap(({ selection }) => (selection ? namesOf(selection) : [])))
}
