// The mutation `restoreRevision`: writes the earlier content of a record by the update mutation of its kind.
import { brandWithType } from '@pothos/core'
import { badInputError, DomainError, inputProblemsError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { createTransactionReads, type Reads } from '../../engine/reads/reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { may, requireEditPermission, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { lockImage, updateImage } from '../image/manage.ts'
import { loggedFields, parseLoggedKey, type RevisedKind } from '../lifecycle/logged-fields.ts'
import { ifUnmodifiedSinceField } from '../lifecycle/modified-at.ts'
import { runMutation } from '../lifecycle/mutation.ts'
import { Payload, type WriteResult } from '../lifecycle/payload.ts'
import { lockPost } from '../lifecycle/post.ts'
import { updateRecord } from '../lifecycle/record-mutations.ts'
import { lockTerm, requireTermPermissions } from '../lifecycle/term.ts'
import { findRecord } from '../list/records.ts'
import { enumValues } from '../rules/enums.ts'
import { nodeTypeName, requireRecordId } from '../rules/identify.ts'
import { findSeries } from '../series/find-series.ts'
import { requireSeries, updateSeries } from '../series/write.ts'
import { kindValues } from './changes-query.ts'
import { type RecordState, readState, readStateAfter } from './record-state.ts'
import {
  checkLinks,
  findUnrestorableFields,
  replaceMergedLinks,
  restorationProblem,
  revisedFieldOf,
  toUpdateInput,
} from './restored-input.ts'
import { revisionsSql } from './revisions.ts'

const { sql } = Prisma

const RevisedKindEnum = builder.enumType('RevisedKind', {
  description: 'A kind of record that has revisions.',
  values: { ...kindValues, ...enumValues({ series: 'Series of events.', image: 'Images.' }) },
})

const RestoreRevisionInput = builder.inputType('RestoreRevisionInput', {
  description: 'Says what to restore of a record.',
  fields: (t) => ({
    kind: t.field({ type: RevisedKindEnum, required: true, description: 'Kind of the record.' }),
    id: t.id({ required: true, description: 'Global ID or databaseId of the record.' }),
    revisionId: t.id({
      required: true,
      description:
        'ID of the revision: the record gets the content that it had after this revision. `0` for the content before the first one, of a record without a revision of its creation, such as a date of a series.',
    }),
    fields: t.stringList({
      description:
        'Names of the fields to restore, as in `RevisionChange.field`. Default: all fields, or with `languages` all texts.',
    }),
    languages: t.field({ type: [LanguageCode], description: 'Languages of the texts to restore. Default: all.' }),
    ifUnmodifiedSince: ifUnmodifiedSinceField(t),
  }),
})

type Input = typeof RestoreRevisionInput.$inferInput

interface Restoration extends WriteResult {
  readonly kind: RevisedKind
}

const RestoreRevisionPayload = builder.objectRef<Restoration>('RestoreRevisionPayload').implement({
  description: 'Result of restoring a revision.',
  interfaces: [Payload],
  fields: (t) => ({
    record: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: 'The record after the change; null if nothing was written.',
      resolve: async ({ kind, id }, _args, context, info) => {
        if (id === null) return null
        const selection = buildSelection(context, info, { typeName: nodeTypeName(kind) })
        const record =
          kind === 'series'
            ? (await findSeries(context, selection, [id])).get(id)
            : await findRecord<{ id: number }>(context, kind, selection, { id })
        if (record) brandWithType(record, nodeTypeName(kind) as never)
        return record ?? null
      },
    }),
  }),
})

builder.mutationField('restoreRevision', (t) =>
  t.field({
    type: RestoreRevisionPayload,
    description:
      'Restores the content that a record had after a revision, as a new change with all checks of the update mutations. Dates of a series keep their IDs, and those that were excluded or deleted since do not come back. Fields and languages that are not selected stay unchanged, and so do passwords, e-mail addresses and files of images, which the revisions do not have, and the slug and UID of a date of a series, which the series has. What cannot be restored, such as a link to a deleted record or a slug that another record has, is a user error, and then nothing is restored: its path is `revisionId`, then the name of the field as in `RevisionChange.field`, then the language of a text.',
    args: { input: t.arg({ type: RestoreRevisionInput, required: true, description: 'What to restore.' }) },
    resolve: async (_root, { input }, context) => {
      const outcome = await runMutation(context, input, (tx, checked) => restoreRevision(tx, checked, context))
      return { ...outcome, kind: input.kind }
    },
  }),
)

async function restoreRevision(tx: Tx, input: Input, context: Context): Promise<number> {
  const { kind, ifUnmodifiedSince } = input
  requirePermission(context.viewer, 'write')
  const reads = createTransactionReads(tx)
  const id = await lockRecord(tx, input, context)
  const revisionId = await findRevision(reads, input, id, context)
  if (revisionId === undefined) throw badInputError({ revisionId: `This ${kind} has no revision with this ID.` })
  const unrestorable = await findUnrestorableFields(tx, kind, id)
  const readCurrent = async () => withoutFields(kind, (await readState(reads, kind, id)) ?? new Map(), unrestorable)
  const current = await readCurrent()
  const earlier = await replaceMergedLinks(reads, kind, await readStateAfter(reads, kind, id, revisionId, current))
  const wanted = select(input, current, withoutFields(kind, earlier, unrestorable), unrestorable, context)
  await checkLinks(tx, kind, current, wanted, context)
  const values = { ...toUpdateInput(kind, current, wanted), id: String(id) }
  if (kind === 'series' && values.schedule) await refuseSplit(reads, id, revisionId)
  const guarded = ifUnmodifiedSince == null ? values : { ...values, ifUnmodifiedSince }
  await explained(kind, values, async () => {
    if (kind === 'series') return updateSeries(tx, id, guarded, context)
    return kind === 'image' ? updateImage(tx, guarded, context) : updateRecord(kind, tx, guarded, context)
  })
  checkRestored(kind, wanted, await readCurrent(), context)
  return id
}

/** Returns the ID of the change after which the record had the wanted content. Undefined if the caller sees no such revision. */
async function findRevision(
  reads: Pick<Reads, 'rows'>,
  { kind, revisionId }: Input,
  id: number,
  { viewer }: Context,
): Promise<string | undefined> {
  if (!/^\d{1,18}$/.test(revisionId)) return undefined
  const isSeen = may(viewer, 'editOthers') ? sql`true` : sql`NOT c.is_hidden`
  const [revision] = await reads.rows<{ id: string }>(
    revisionId === '0'
      ? sql`SELECT (min(c.id) - 1)::text AS id ${revisionsSql(kind, id)} HAVING bool_and(c.action <> 'created' AND ${isSeen})`
      : sql`SELECT c.id::text ${revisionsSql(kind, id)} AND c.id = ${revisionId}::bigint AND ${isSeen}`,
  )
  return revision?.id
}

/** Locks a record that the caller may update, in the order of all other writes. Returns its ID. */
async function lockRecord(tx: Tx, { kind, id: text }: Input, context: Context): Promise<number> {
  if (kind === 'image') return (await lockImage(tx, { id: text }, context)).id
  if (kind === 'category' || kind === 'tag') {
    requireTermPermissions(kind, context)
    return (await lockTerm(tx, kind, text, context)).id
  }
  if (kind === 'series') {
    const { series, template } = await requireSeries(tx, requireRecordId(kind, text), context)
    requireEditPermission(context.viewer, template)
    return series.id
  }
  const post = await lockPost(tx, kind, { id: text }, context)
  requireEditPermission(context.viewer, post)
  return post.id
}

/** Throws if a series was split since the revision: its earlier schedule has dates that the other series has now. */
async function refuseSplit(reads: Pick<Reads, 'rows'>, id: number, revisionId: string): Promise<void> {
  const splits = await reads.rows(sql`
    SELECT FROM series s JOIN change c ON c.kind = 'series' AND c.record_id = s.id AND c.action = 'created'
    WHERE s.split_from_id = ${id} AND c.id > ${revisionId}::bigint LIMIT 1`)
  if (splits.length === 0) return
  throw inputProblemsError([
    restorationProblem('schedule', null, 'later dates became a series of their own since. Leave out this field.'),
  ])
}

function withoutFields(kind: RevisedKind, state: RecordState, names: readonly string[]): RecordState {
  return new Map([...state].filter(([key]) => !names.includes(parseLoggedKey(kind, key)?.field ?? '')))
}

/** Returns the current content with the selected part of the earlier content. */
function select(
  { kind, fields, languages }: Input,
  current: RecordState,
  earlier: RecordState,
  unrestorable: readonly string[],
  { settings }: Context,
) {
  const { columns, texts, links } = loggedFields[kind]
  const names = new Set([columns, texts, links ?? {}].flatMap((part) => Object.values(part)))
  for (const name of unrestorable) names.delete(name)
  const unknown = fields?.find((name) => !names.has(name))
  if (unknown !== undefined) {
    throw badInputError({ fields: `fields can contain ${[...names].toSorted().join(', ')}.` })
  }
  const isSelected = (key: string) => {
    const logged = parseLoggedKey(kind, key)
    if (!logged) return false
    const { field, language } = logged
    if (language !== null && !(languages ?? settings.languages).includes(language)) return false
    // The instant says which of two equal local times is meant.
    const name = field.replace(/^(starts|ends)At$/, '$1Local')
    return fields == null ? languages == null || language !== null : fields.includes(field) || fields.includes(name)
  }
  const kept = [...current].filter(([key]) => !isSelected(key))
  const restored = [...earlier].filter(([key]) => isSelected(key))
  return new Map([...kept, ...restored])
}

/** Makes errors of the update say which field of the revision they are about. */
async function explained(
  kind: RevisedKind,
  values: { readonly translations?: readonly { readonly language: string }[] },
  work: () => Promise<unknown>,
) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.problems.length === 0) throw error
    const problems = error.problems.map(({ path, message, ...rest }) => {
      const [first, index, name] = path
      const language = values.translations?.[Number(index)]?.language
      const field = language === undefined ? first : (loggedFields[kind].texts[String(name)] ?? name)
      return { ...rest, ...restorationProblem(revisedFieldOf(String(field)), language, message) }
    })
    throw new DomainError(error.code, error.message, error.data, problems)
  }
}

/**
 * Fields whose values updates may store in another form: sanitized again, computed for the time zone, or without the dates that
 * were excluded since.
 */
const approximate = new Set(['description', 'excerpt', 'startsAt', 'endsAt', 'schedule'])

/** Throws if the update stored other values, such as another slug because another record has it. */
function checkRestored(kind: RevisedKind, wanted: RecordState, stored: RecordState, { settings }: Context): void {
  const problems = [...new Set([...wanted.keys(), ...stored.keys()])].flatMap((key) => {
    const { field, language, link } = parseLoggedKey(kind, key) ?? { field: 'email', language: null }
    if (link !== undefined || field === 'email' || approximate.has(field)) return []
    if (language !== null && !settings.languages.includes(language)) return []
    const [expected, actual] = [wanted.get(key), stored.get(key)].map((value) =>
      // The date of a scheduled record may have come.
      field === 'status' && value === 'future' ? 'publish' : value,
    )
    if (JSON.stringify(expected) === JSON.stringify(actual)) return []
    const reason = field === 'slug' ? 'another record has this slug, or' : 'another change prevents it, or'
    return [
      restorationProblem(
        field,
        language,
        `the value cannot be restored, because ${reason} you may not set it. Leave out this field.`,
      ),
    ]
  })
  if (problems.length > 0) throw inputProblemsError(problems)
}
