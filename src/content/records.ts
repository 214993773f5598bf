// Records by their numbers, or the one of a condition, with all that is selected of them.
import type { Context } from '../context.ts'
import { readRecord, readRecords } from '../db/records.ts'
import type { Selected } from '../graphql/selected.ts'
import type { TextKind } from './text.ts'

/** What is needed of Prisma's tables, alike for all kinds. */
export interface Table {
  findMany(args: object): Promise<object[]>
  findFirst(args: object): Promise<object | null>
  count(args: object): Promise<number>
}

export const table = ({ db }: Pick<Context, 'db'>, name: TextKind | `${TextKind}Text`): Table =>
  db[name] as unknown as Table

/** What the data model calls a kind, or its text. */
export const modelName = (name: TextKind | `${TextKind}Text`) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** In the order of their numbers; one that is gone meanwhile is left out. */
export async function recordsOf<Node extends object>(
  context: Context,
  kind: TextKind,
  { wanted, query }: Selected,
  ids: readonly number[],
): Promise<Node[]> {
  if (ids.length === 0) return []
  const whole = wanted && (await readRecords(context, modelName(kind), wanted, ids))
  const nodes = whole ?? (await table(context, kind).findMany({ ...query(), where: { id: { in: [...ids] } } }))
  const place = new Map(ids.map((id, index) => [id, index]))
  const placeOf = (node: object) => place.get((node as { id?: number }).id ?? 0) ?? 0
  return nodes.sort((a, b) => placeOf(a) - placeOf(b)) as Node[]
}

/** The record of which `where` is true, null for none. */
export async function recordOf<Node extends object>(
  context: Context,
  kind: TextKind,
  { wanted, query }: Selected,
  where: object,
): Promise<Node | null> {
  const whole = wanted && (await readRecord(context, modelName(kind), wanted, where))
  if (whole !== undefined) return whole as Node | null
  return (await table(context, kind).findFirst({ ...query(), where })) as Node | null
}
