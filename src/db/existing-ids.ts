import { Prisma } from '../generated/prisma/client.ts'
import type { Tx } from './client.ts'
import { unionOfIds } from './read-engine/union-of-ids.ts'

/** By model, the IDs of the records that its condition selects; one statement for all models. */
export async function findExistingIds<Model extends string>(
  tx: Tx,
  conditions: ReadonlyMap<Model, object>,
): Promise<ReadonlyMap<Model, ReadonlySet<number>>> {
  const found = new Map<Model, Set<number>>()
  if (conditions.size === 0) return found
  const rows = await tx.$queryRaw<{ name: Model; id: number }[]>(Prisma.join(unionOfIds(conditions), ' UNION ALL '))
  for (const { name, id } of rows) found.set(name, (found.get(name) ?? new Set()).add(id))
  return found
}
