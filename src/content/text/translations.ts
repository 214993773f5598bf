// What records were written in: one query a request and kind, however many records are asked about. A selection of its
// own would clash with that of the served text, and be loaded record by record.
import DataLoader from 'dataloader'
import type { Context } from '../../context.ts'
import { memoizeByObject } from '../../memoize.ts'
import { isPost, type RecordKind, recordKinds } from '../kinds.ts'
import { delegateOf } from '../list/records.ts'
import type { StoredTranslation } from './translation-type.ts'

/** Rows with text of their own; the others only hold copies. */
const written = { isEmpty: false }
const columns = { language: true, name: true, description: true, slug: true, written: true } as const
const orderBy = { language: 'asc' } as const

type Row = StoredTranslation & Readonly<Record<string, unknown>>

const loader = (kind: RecordKind) =>
  memoizeByObject(
    (context: Context) =>
      new DataLoader<number, StoredTranslation[]>(async (ids) => {
        const key = `${kind}Id`
        const select = { ...columns, ...(isPost(kind) && { excerpt: true }), [key]: true }
        const query = { where: { [key]: { in: [...ids] }, written }, select, orderBy }
        const rows = (await delegateOf(context, `${kind}Text`).findMany(query)) as Row[]
        const found = Map.groupBy(rows, (row) => row[key])
        return ids.map((id) => found.get(id) ?? [])
      }),
  )

export const translationsOf = Object.fromEntries(recordKinds.map((kind) => [kind, loader(kind)])) as Readonly<
  Record<RecordKind, ReturnType<typeof loader>>
>
