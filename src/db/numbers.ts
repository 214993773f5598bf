// Which records there are, looked up by one statement, within a transaction or before one.
import { Prisma } from '../generated/prisma/client.ts'
import type { Tx } from './client.ts'
import { unionOfIds } from './read-engine/union-of-ids.ts'
import { sendAlone } from './transaction.ts'

/** Of each model the IDs of the records that its condition selects, and what else one statement is to compute. */
export async function numbersOf<Name extends string>(
  tx: Tx,
  conditions: ReadonlyMap<Name, object>,
  /** Expressions of one number each. */
  others: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<Name, ReadonlySet<number>>> {
  const parts = unionOfIds(conditions)
  for (const [name, number] of Object.entries(others)) {
    parts.push(Prisma.raw(`SELECT '${name}' AS name, ${number} AS id`))
  }
  const found = new Map<Name, Set<number>>()
  if (parts.length === 0) return found
  const { text, values } = Prisma.join(parts, ' UNION ALL ')
  for (const { name, id } of await sendAlone<{ name: Name; id: number }>(tx, text, values)) {
    found.set(name, (found.get(name) ?? new Set()).add(id))
  }
  return found
}
