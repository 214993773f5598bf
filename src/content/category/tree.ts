import type { Tx } from '../../db/client.ts'

/** Puts a new category below its parent: one path from each of its ancestors, itself included. */
export async function addToTree(tx: Tx, id: number, parentId: number | null): Promise<void> {
  const above = parentId === null ? [] : await tx.categoryPath.findMany({ where: { descendantId: parentId } })
  const paths = above.map(({ ancestorId, depth }) => ({ ancestorId, descendantId: id, depth: depth + 1 }))
  await tx.categoryPath.createMany({ data: [...paths, { ancestorId: id, descendantId: id, depth: 0 }] })
}
