// The queries `translationTasks` and `translationTaskCounts`: which texts are to be translated, or to be translated again.

import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import { badInputError, type NodeKind } from '../../basics/errors.ts'
import { maxItems } from '../../basics/input-limits.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isPost, kinds, type RecordKind, recordKinds } from '../../kinds.ts'
import { may, mayManageTerms, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { SortKey } from '../../service/graphql/keyset.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { type Connection, toConnection, totalCount } from '../../service/graphql/pagination.ts'
import { RecordKindEnum } from '../changes/changes-query.ts'
import { loadConnectionRows } from '../list/sql-connection.ts'
import { enumValues } from '../rules/enums.ts'
import { globalId, parseGlobalId } from '../rules/identify.ts'
import { loadNodeByGlobalId } from '../site/nodes.ts'
import { toSiteLanguage } from '../text/served-languages.ts'

const { sql, raw, join, empty } = Prisma

type State = 'missing' | 'outdated' | 'inReview'

const TranslationTaskState = builder.enumType('TranslationTaskState', {
  description: 'Why a text is to be translated.',
  values: enumValues<State>({
    missing: 'A text of the original language is not translated: title or name, description or excerpt.',
    outdated: 'The text in the original language was changed after the translation, by more than a small correction.',
    inReview: 'The translation was marked for somebody else to check.',
  }),
})

interface Task {
  readonly kind: RecordKind
  readonly recordId: number
  readonly isSeries: boolean
  readonly language: string
  readonly sourceLanguage: string
  readonly state: State
  readonly missing: readonly string[]
  readonly revisedAt: Date | null
  readonly sourceRevisedAt: Date | null
}

const kindOfNode = ({ kind, isSeries }: Task): NodeKind => (isSeries ? 'series' : kind)

const globalIdOf = (task: Task) => globalId(kindOfNode(task), task.recordId)

const TranslationTask = builder.objectRef<Task>('TranslationTask').implement({
  description: 'The texts of a record in one language, which are to be translated.',
  fields: (t) => ({
    id: t.id({
      description: 'Identifies the record and the language.',
      resolve: (task) => `${globalIdOf(task)}-${task.language}`,
    }),
    kind: t.expose('kind', { type: RecordKindEnum, description: 'Kind of the record; EVENT also for a series.' }),
    record: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: 'The record; for a recurring event, its series. Null if it was deleted meanwhile.',
      resolve: async (task, _args, context, info) => {
        const node = await loadNodeByGlobalId(globalIdOf(task), context, info)
        return node instanceof Error ? null : node
      },
    }),
    language: t.expose('language', { type: LanguageCode, description: 'Language to translate into.' }),
    sourceLanguage: t.field({
      type: LanguageCode,
      nullable: true,
      description: 'Original language of the record; null if the site no longer has it.',
      resolve: ({ sourceLanguage }, _args, context) => toSiteLanguage(sourceLanguage, context),
    }),
    state: t.expose('state', { type: TranslationTaskState, description: 'Why the text is to be translated.' }),
    missingFields: t.stringList({
      description:
        'The fields of a translation that are missing: `name` for a title or name, `description`, `excerpt`.',
      resolve: ({ missing }) => [...missing],
    }),
    translatedAt: t.expose('revisedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the translation was last written; null without one, and if this is not known.',
    }),
    sourceChangedAt: t.expose('sourceRevisedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the text in the original language was last changed; null if this is not known.',
    }),
  }),
})

const TranslationTaskFilter = builder.inputType('TranslationTaskFilter', {
  description: 'Selects texts to translate. Criteria combine with AND.',
  fields: (t) => ({
    languages: t.field({ type: [LanguageCode], description: 'Languages to translate into. Default: all of the site.' }),
    kinds: t.field({ type: [RecordKindEnum], description: 'Kinds of records. Default: all.' }),
    states: t.field({ type: [TranslationTaskState], description: 'Only these states. Default: all.' }),
    records: t.idList({
      description: 'Global IDs of records. For recurring events, pass the ID of the series. Default: all.',
    }),
    includePast: t.boolean({ description: 'Whether to include events that have ended. Default: false.' }),
  }),
})

type Filter = typeof TranslationTaskFilter.$inferInput

const filterArgument = { type: TranslationTaskFilter, description: 'Selects the texts.' } as const

/** Records of a kind that the viewer may update, with the columns that tasks need. */
function recordsOf(kind: RecordKind, { includePast }: Filter, { viewer, now }: Context): Prisma.Sql {
  if (!isPost(kind)) {
    return sql`SELECT id, false AS is_series, original_language, 'epoch'::timestamptz AS due FROM ${raw(kind)}
      WHERE ${mayManageTerms(viewer, kind)}`
  }
  const owned = may(viewer, 'publish') ? empty : sql`AND NOT live`
  const mine = may(viewer, 'editOthers') ? empty : sql`AND author_id = ${viewer?.id} ${owned}`
  if (kind !== 'event') {
    return sql`SELECT id, false AS is_series, original_language, 'epoch'::timestamptz AS due FROM ${raw(kind)}
      WHERE status <> 'trash' ${mine}`
  }
  // All dates of a series have the same texts. What takes place first is to be translated first.
  return sql`SELECT content_id AS id, bool_or(series_id IS NOT NULL) AS is_series, min(original_language) AS original_language,
      min(starts_at) AS due FROM event
    WHERE status <> 'trash' ${includePast ? empty : sql`AND ends_at >= ${now}`} ${mine} GROUP BY content_id`
}

/** Tasks of one kind. A text without a source is empty, or a copy of another language. */
function tasksOf(kind: RecordKind, filter: Filter, languages: readonly string[], context: Context): Prisma.Sql {
  const [texts, id] = [raw(`${kinds[kind].owner}_text`), raw(`${kinds[kind].owner}_id`)]
  const isMissing = (field: string) =>
    sql`CASE WHEN s.${raw(`${field}_source`)} = s.language AND t.${raw(`${field}_source`)} IS DISTINCT FROM t.language
      THEN ${field} END`
  const others = ['description', ...(isPost(kind) ? ['excerpt'] : [])].map(isMissing)
  return sql`
    SELECT ${kind} AS kind, ${recordKinds.indexOf(kind)}::int AS rank, r.id, r.is_series, r.due, t.language,
      s.language AS source_language, t.revised_at, s.revised_at AS source_revised_at, t.in_review, array_remove(
        ARRAY[CASE WHEN NOT 'name' = ANY (t.written) THEN 'name' END, ${join(others)}]::text[], NULL) AS missing
    FROM (${recordsOf(kind, filter, context)}) r
    JOIN ${texts} s ON s.${id} = r.id AND s.language = r.original_language
    JOIN ${texts} t ON t.${id} = r.id AND t.language <> s.language AND t.language = ANY (${languages}::text[])`
}

function selectTasks(filter: Filter, context: Context): Prisma.Sql {
  requirePermission(context.viewer, 'write')
  const { records } = filter
  if ((records?.length ?? 0) > maxItems) {
    throw badInputError({ records: `records can have at most ${maxItems} items.` })
  }
  const wanted = records?.map((id) => parseGlobalId(String(id)))
  if (wanted?.includes(undefined)) throw badInputError({ records: 'Send global IDs, as the fields `id` return them.' })
  const languages = filter.languages ?? context.settings.languages
  const ofKinds = (filter.kinds ?? recordKinds).map((kind) => {
    const tasks = tasksOf(kind, filter, languages, context)
    if (!wanted) return tasks
    const ids = wanted.flatMap((each) =>
      each && (each.kind === kind || (each.kind === 'series' && kind === 'event')) ? each.id : [],
    )
    return sql`${tasks} WHERE r.id = ANY (${ids}::int[])`
  })
  if (ofKinds.length === 0) throw badInputError({ kinds: 'kinds must have an item.' })
  const states = filter.states ?? (['missing', 'outdated', 'inReview'] satisfies State[])
  return sql`
    SELECT * FROM (
      SELECT *, CASE
        WHEN missing <> '{}' THEN 'missing'
        WHEN source_revised_at > coalesce(revised_at, '-infinity') THEN 'outdated'
        WHEN in_review THEN 'inReview' END AS state
      FROM (${join(ofKinds, ' UNION ALL ')}) AS texts
    ) AS tasks WHERE state = ANY (${states}::text[])`
}

const keys: readonly SortKey[] = [
  { column: 'rank', type: 'integer', order: 'task' },
  { column: 'due', type: 'date' },
  { column: 'id', type: 'integer' },
  { column: 'language', type: 'text' },
]

interface Row extends Omit<Task, 'recordId'> {
  readonly rank: number
  readonly due: Date
  readonly id: number
}

async function loadTasks(filter: Filter, args: DefaultConnectionArguments, context: Context, info: GraphQLResolveInfo) {
  const columns = sql`kind, rank, id, is_series AS "isSeries", due, language, source_language AS "sourceLanguage", state, missing,
    revised_at AS "revisedAt", source_revised_at AS "sourceRevisedAt"`
  const list = { keys, columns, from: sql`FROM (${selectTasks(filter, context)}) AS tasks WHERE true` }
  const { slice, rows, total } = await loadConnectionRows<Row>(list, args, context, info)
  const found = rows.map((row) => ({ keys: row, record: { ...row, recordId: row.id } }))
  return toConnection<Task>(slice, keys, { rows: found, total })
}

interface TaskCount extends Pick<Task, 'language' | 'kind' | 'state'> {
  readonly count: number
}

const TranslationTaskCount = builder.objectRef<TaskCount>('TranslationTaskCount').implement({
  description: 'Number of texts to translate.',
  fields: (t) => ({
    language: t.expose('language', { type: LanguageCode, description: 'Language to translate into.' }),
    kind: t.expose('kind', { type: RecordKindEnum, description: 'Kind of the records.' }),
    state: t.expose('state', { type: TranslationTaskState, description: 'Why the texts are to be translated.' }),
    count: t.exposeInt('count', { description: 'Number of records.' }),
  }),
})

const TranslationTaskConnection = builder.connectionObject<typeof TranslationTask, Connection<Task>>(
  {
    type: TranslationTask,
    name: 'TranslationTaskConnection',
    description: 'Texts to translate, with cursors.',
    fields: (t) => ({ totalCount: t.int(totalCount) }),
  },
  { name: 'TranslationTaskEdge', description: 'A text to translate in a list.' },
)

builder.queryFields((t) => ({
  translationTasks: t.field({
    type: TranslationTaskConnection,
    description:
      'Lists missing, outdated and in-review translations of the records that you may update: events by their next date, then venues, organizers, categories and tags. To keep translations current after a small correction, set `minorChange`. To change the state of a translation, set `translations.state`. For users who may write.',
    extensions: complexity({ weight: 200, slicingArguments: ['first', 'last'] }),
    args: { filter: t.arg(filterArgument), ...t.arg.connectionArgs() },
    resolve: (_root, { filter, ...args }, context, info) => loadTasks(filter ?? {}, args, context, info),
  }),
  translationTaskCounts: t.field({
    type: [TranslationTaskCount],
    description:
      'How many texts `translationTasks` has for each language, kind and state; numbers of 0 are left out. For users who may write.',
    extensions: complexity({ weight: 200, assumedSize: 30 }),
    args: { filter: t.arg(filterArgument) },
    resolve: (_root, { filter }, context) =>
      context.reads.rows<TaskCount>(sql`
        SELECT language, kind, state, count(*)::int AS count FROM (${selectTasks(filter ?? {}, context)}) AS tasks
        GROUP BY language, kind, state ORDER BY language, kind, state`),
  }),
}))
