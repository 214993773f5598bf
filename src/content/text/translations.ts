// Loads the translations of records with one query per request and kind. A Prisma selection would conflict with the one of
// the served text, and Pothos would then run a query per record.
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../context.ts'
import { type AnalyzedSelection, analyzedField } from '../../graphql/analyze-operation.ts'
import { memoizeByObject } from '../../memoize.ts'
import { isPost, type RecordKind } from '../kinds.ts'
import { delegateOf } from '../list/records.ts'
import { resolveOneByOne } from '../list/resolve-one-by-one.ts'
import type { StoredTranslation } from './translation-type.ts'

/** Rows with written text; other rows only contain copies. */
const isWritten = { isEmpty: false }
const columns = { language: true, name: true, slug: true, written: true } as const

type Row = StoredTranslation & Readonly<Record<string, unknown>>

type LongText = 'description' | 'excerpt'

const longTextsOf = (kind: RecordKind): readonly LongText[] =>
  isPost(kind) ? ['description', 'excerpt'] : ['description']

type TranslationLoader = DataLoader<number, StoredTranslation[] | Promise<StoredTranslation[]>>

function createLoader(context: Context, kind: RecordKind, longTexts: readonly LongText[]): TranslationLoader {
  return new DataLoader(async (ids) => {
    const key = `${kind}Id`
    const select = { ...columns, ...Object.fromEntries(longTexts.map((name) => [name, true])), [key]: true }
    const languages = [...context.settings.languages]
    const where = { [key]: { in: [...ids] }, language: { in: languages }, written: isWritten }
    const orderBy = [{ language: 'asc' }, { [key]: 'asc' }]
    const query = { where, select, orderBy, longTextBudget: context.texts }
    const rows = (await delegateOf(context, `${kind}Text`).findMany(query)) as Row[]
    const byRecord = Map.groupBy(rows, (row) => row[key])
    const records = resolveOneByOne(ids.map((id) => ({ texts: byRecord.get(id) ?? [] })))
    return records.map((record) => (record instanceof Promise ? record.then(({ texts }) => texts) : record.texts))
  })
}

const loadersOf = memoizeByObject((_context: Context) => new Map<string, TranslationLoader>())

/** The translations of a record. With the `info` of their field, only the long texts that it selects are loaded. */
export async function translationsOf(
  context: Context,
  kind: RecordKind,
  id: number,
  info?: GraphQLResolveInfo,
): Promise<StoredTranslation[]> {
  const all = longTextsOf(kind)
  const selection = info && isPost(kind) ? analyzedField(info)?.selection : undefined
  const longTexts = selection ? all.filter((name) => selects(selection, name)) : all
  const loaders = loadersOf(context)
  const key = [kind, ...longTexts].join()
  const loader = loaders.get(key) ?? createLoader(context, kind, longTexts)
  loaders.set(key, loader)
  return loader.load(id)
}

const selects = ({ parts }: AnalyzedSelection, name: LongText): boolean =>
  parts.some((part) =>
    part.kind === 'field'
      ? part.definition.name === name || part.definition.name === `${name}Html`
      : selects(part.selection, name),
  )
