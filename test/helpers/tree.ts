import type { Db } from '../../src/engine/postgres/client.ts'

/** The differences between the stored category paths and those that follow from the parents. */
export async function brokenPaths(db: Db): Promise<string[]> {
  const rows = await db.category.findMany({ select: { id: true, parentId: true } })
  const parents = new Map(rows.map(({ id, parentId }) => [id, parentId]))
  const expected = new Set<string>()
  for (const { id } of rows) {
    let depth = 0
    for (let above: number | null = id; above !== null && depth <= rows.length; depth += 1) {
      expected.add(`${above} > ${id} at ${depth}`)
      above = parents.get(above) ?? null
    }
    if (depth > rows.length) expected.add(`${id} in a circle`)
  }
  const stored = await db.categoryPath.findMany()
  const actual = new Set(
    stored.map(({ ancestorId, descendantId, depth }) => `${ancestorId} > ${descendantId} at ${depth}`),
  )
  return [...expected, ...actual].filter((path) => !expected.has(path) || !actual.has(path)).sort()
}
