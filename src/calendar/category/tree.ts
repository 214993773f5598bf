import type { Tx } from '../../engine/postgres/client.ts'

/** Inserts the ancestor–descendant pairs of a new category: one for each ancestor and one for the category itself. */
export async function addCategoryToTree(tx: Tx, id: number, parentId: number | null): Promise<void> {
  const above = parentId === null ? [] : await tx.categoryPath.findMany({ where: { descendantId: parentId } })
  const paths = above.map(({ ancestorId, depth }) => ({ ancestorId, descendantId: id, depth: depth + 1 }))
  await tx.categoryPath.createMany({ data: [...paths, { ancestorId: id, descendantId: id, depth: 0 }] })
}

/** Moves a category with its descendants below another parent; null makes it a root category. */
export async function moveCategoryInTree(tx: Tx, id: number, parentId: number | null): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM category_path p USING category_path below, category_path above
    WHERE below.ancestor_id = ${id} AND above.descendant_id = ${id} AND above.depth > 0
      AND p.descendant_id = below.descendant_id AND p.ancestor_id = above.ancestor_id`
  if (parentId === null) return
  await tx.$executeRaw`
    INSERT INTO category_path (ancestor_id, descendant_id, depth)
    SELECT above.ancestor_id, below.descendant_id, above.depth + below.depth + 1
    FROM category_path above, category_path below
    WHERE above.descendant_id = ${parentId} AND below.ancestor_id = ${id}`
}
