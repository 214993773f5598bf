// Finds out whether a list is short: then reading and sorting all of it takes less than the scan of an index in its order, which
// ends when it has enough for a page.
import type { Context } from '../../context.ts'
import { querySql } from '../../db/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Delegate } from './records.ts'

const maxMatches = 500

interface Matches {
  readonly delegate: Delegate
  readonly where: object
}

/** The IDs of all matches, in any order; undefined if they are many. */
export async function fewMatches({ db }: Context, { delegate, where }: Matches): Promise<number[] | undefined> {
  const matches = await delegate.matchingRows(where, {}, { stopsEarly: true })
  const statement = Prisma.sql`
    SELECT array_agg(id) AS ids FROM (SELECT id FROM (${matches}) AS matching LIMIT ${maxMatches + 1}::int) AS few`
  const [{ ids } = { ids: null }] = await querySql<{ ids: number[] | null }>(db, statement)
  return (ids?.length ?? 0) > maxMatches ? undefined : (ids ?? [])
}
