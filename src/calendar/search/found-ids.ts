import { isSelected, type SelectedIds, selectIds } from '../../engine/postgres/record-reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'

/** The statements of a list get the IDs of so many matches. Of more, they compare the texts themselves. */
const maxListed = 1000

/**
 * A filter that accepts these IDs. Reading stops if they are too many. With the limit in the same query as the conditions, the
 * planner would expect that, and choose a scan that takes long if they are few.
 */
export async function idsOf(selected: SelectedIds, { reads }: Context): Promise<{ in?: number[] }> {
  const [row] = await reads.rows<{ ids: number[] }>(Prisma.sql`WITH found (id) AS MATERIALIZED (${selectIds(selected)})
      SELECT ARRAY(SELECT id FROM found LIMIT ${maxListed + 1}::int) AS ids`)
  const ids = row?.ids ?? []
  return ids.length <= maxListed ? { in: ids } : (isSelected(selected) as object)
}
