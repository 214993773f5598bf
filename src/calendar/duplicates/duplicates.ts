// The query `duplicates`: records that may stand for the same thing, to merge.
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, kinds, recordKinds } from '../../kinds.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { requirePageSize } from '../../service/graphql/pagination.ts'
import { type MergedKind, requireMergePermission } from '../lifecycle/merge.ts'
import { kindEnumValues } from '../rules/enums.ts'
import { globalId, isMergeable } from '../rules/identify.ts'
import { loadNodeByGlobalId } from '../site/nodes.ts'

const { sql, raw, empty } = Prisma

const MergedKindEnum = builder.enumType('MergedKind', {
  description: 'A kind of record that can be merged.',
  values: kindEnumValues(recordKinds.filter(isMergeable), (kind) => `${kinds[kind].type} records.`),
})

interface Pair {
  readonly ids: readonly [number, number]
  readonly similarity: number
  readonly kind: MergedKind
}

const Duplicate = builder.objectRef<Pair>('Duplicate').implement({
  description: 'Two records that may stand for the same thing.',
  fields: (t) => ({
    records: t.field({
      type: [builder.nodeInterfaceRef()],
      description: 'The two records, the older one first; without those that were deleted meanwhile.',
      resolve: async ({ ids, kind }, _args, context, info) => {
        const nodes = await Promise.all(ids.map((id) => loadNodeByGlobalId(globalId(kind, id), context, info)))
        return nodes.flatMap((node) => (node instanceof Error ? [] : node))
      },
    }),
    similarity: t.exposeFloat('similarity', {
      description: 'How similar the names are, from 0 to 1 for the same name, whatever their language.',
    }),
  }),
})

/** Minimum similarity of two names to suggest them. */
const minSimilarity = 0.5
/** Ignores keys that more records share: a frequent word does not indicate a duplicate. */
const maxInCommon = 20
const punctuation = `-'’.,:;()/&"«»|`

/** Venues in different towns, or far from each other, have the same name by chance. */
const isSamePlace = sql`
  JOIN venue v ON v.id = a JOIN venue w ON w.id = b
  WHERE (v.folded_city = w.folded_city OR v.folded_city = '' OR w.folded_city = '')
    AND (v.latitude IS NULL OR w.latitude IS NULL
      OR abs(v.latitude - w.latitude) < 0.01 AND abs(v.longitude - w.longitude) < 0.02)`

/** The cells of a grid of about 200 metres. */
const cells = sql`
  UNION ALL SELECT id, '@' || round(latitude * 500) || ' ' || round(longitude * 350) FROM venue
  WHERE latitude IS NOT NULL AND status <> 'trash'`

/** Compares names only of records that have a rare key in common: the beginning of a word, the whole name, or the place. */
function pairsSql(kind: MergedKind, first: number): Prisma.Sql {
  const [texts, id] = [raw(`${kind}_text`), raw(`${kind}_id`)]
  const isVenue = kind === 'venue'
  const present = isPost(kind) ? sql`JOIN ${raw(kind)} r ON r.id = t.${id} AND r.status <> 'trash'` : empty
  return sql`
    WITH names AS MATERIALIZED (
      SELECT DISTINCT t.${id} AS id, split_part(t.folded, E'\\n', 1) AS name, ${isVenue ? raw('r.folded_city') : ''} AS city
      FROM ${texts} t ${present} WHERE 'name' = ANY (t.written)
    ), keys AS (
      SELECT DISTINCT id, left(word, 5) AS key FROM names,
        string_to_table(translate(name, ${punctuation}, ${' '.repeat(punctuation.length)}), ' ') AS word
      WHERE length(word) > 2
      UNION ALL SELECT DISTINCT id, '=' || name || ' ' || city FROM names
      ${isVenue ? cells : empty}
    ), rare AS MATERIALIZED (
      SELECT id, key FROM (SELECT *, count(*) OVER (PARTITION BY key) AS records FROM keys) AS counted
      WHERE records BETWEEN 2 AND ${maxInCommon}
    ), pairs AS (
      SELECT DISTINCT x.id AS a, y.id AS b FROM rare x JOIN rare y USING (key) WHERE x.id < y.id
    )
    SELECT a, b, max(similarity(x.name, y.name)) AS similarity
    FROM (SELECT a, b FROM pairs ${isVenue ? isSamePlace : empty}) AS pairs
      JOIN names x ON x.id = a JOIN names y ON y.id = b
    GROUP BY a, b HAVING max(similarity(x.name, y.name)) >= ${minSimilarity}
    ORDER BY similarity DESC, a, b LIMIT ${first}`
}

builder.queryField('duplicates', (t) =>
  t.field({
    type: [Duplicate],
    description:
      'Pairs of records with the same or a similar name, the most similar first, to merge with `mergeVenues` and the like. Leaves out pairs of venues in different towns or more than about one kilometre apart. For users who may merge records of the kind.',
    extensions: complexity({ weight: 1000, slicingArguments: ['first'] }),
    args: {
      kind: t.arg({ type: MergedKindEnum, required: true, description: 'Kind of the records.' }),
      first: t.arg.int({ defaultValue: 20, description: 'Maximum of pairs, from 1 to 100.' }),
    },
    resolve: async (_root, { kind, first }, context): Promise<Pair[]> => {
      requireMergePermission(kind, context)
      const size = requirePageSize('first', first, 1, 100) ?? 20
      const rows = await context.reads.rows<{ a: number; b: number; similarity: number }>(pairsSql(kind, size))
      return rows.map(({ a, b, similarity }) => ({ ids: [a, b], similarity, kind }))
    },
  }),
)
