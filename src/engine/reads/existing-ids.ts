import { Prisma } from '../../generated/prisma/client.ts'
import type { Tx } from '../postgres/client.ts'
import { unionOfIds } from './union-of-ids.ts'

/** The IDs of the records that match the condition of each model, by model. Uses one statement for all models. */
export async function findExistingIds<Model extends string>(
  tx: Tx,
  conditions: ReadonlyMap<Model, object>,
): Promise<ReadonlyMap<Model, ReadonlySet<number>>> {
  const idsByModel = new Map<Model, Set<number>>()
  if (conditions.size === 0) return idsByModel
  const rows = await tx.$queryRaw<{ name: Model; id: number }[]>(Prisma.join(unionOfIds(conditions), ' UNION ALL '))
  for (const { name, id } of rows) idsByModel.set(name, (idsByModel.get(name) ?? new Set()).add(id))
  return idsByModel
}
