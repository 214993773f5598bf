// Which records there are, looked up by one statement, within a transaction or before one.
import type { Tx } from './client.ts'
import { condition } from './condition.ts'
import { quoted } from './models.ts'
import { Scope, Values } from './scope.ts'
import { sendAlone } from './transaction.ts'

/** Of each model the numbers of the records of which its condition is true, and what else is wanted by one statement. */
export async function numbersOf<Name extends string>(
  tx: Tx,
  conditions: ReadonlyMap<Name, object>,
  /** Expressions of one number each. */
  others: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<Name, ReadonlySet<number>>> {
  const shared = { values: new Values(true), aliases: 0 }
  const parts = [...conditions].map(([model, where]) => {
    const scope = new Scope(model, shared)
    const isWanted = condition(scope, where)
    return `SELECT '${model}' AS name, ${scope.column(quoted('id'))} AS id FROM ${scope.tables()} WHERE ${isWanted}`
  })
  for (const [name, number] of Object.entries(others)) parts.push(`SELECT '${name}' AS name, ${number} AS id`)
  const found = new Map<Name, Set<number>>()
  if (parts.length === 0) return found
  for (const { name, id } of await sendAlone<{ name: Name; id: number }>(
    tx,
    parts.join(' UNION ALL '),
    shared.values.all,
  )) {
    found.set(name, (found.get(name) ?? new Set()).add(id))
  }
  return found
}
