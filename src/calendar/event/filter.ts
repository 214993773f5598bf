import { badInputError, inputProblemsError } from '../../basics/errors.ts'
import { checkAll, checkAtPath, checkEachItem, toInputProblems } from '../../basics/input-errors.ts'
import { memoizeByObject, memoizeOnce } from '../../basics/memoize.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { FindSearchMatch } from '../list/search-input.ts'
import { readableFilter, untrashedInListsFilter } from '../rules/status.ts'
import { unhiddenFilter } from '../rules/visibility.ts'
import { hasSimilarWords } from '../search/matches.ts'
import type { SearchMode } from '../search/word-forms.ts'
import { inLanguageFilter } from '../text/served-text.ts'
import { allOf, anyOf, type CriteriaFilters, type Criterion, criteriaToFilters, negate } from './criteria.ts'
import { type EventCriteria, eventCriteriaFields } from './criteria-input.ts'

/** Maximum of filters in `not` and `any`: each may need several SQL statements. */
const maxNested = 20
const maxDepth = 4

export interface EventFilterInput extends EventCriteria {
  not?: EventFilterInput | null | undefined
  any?: readonly EventFilterInput[] | null | undefined
}

export const EventFilter = builder.inputRef<EventFilterInput>('EventFilter').implement({
  description: `Selects events. Criteria combine with AND, values within one criterion with OR. Filters in \`not\` and \`any\` accept the same criteria: at most ${maxNested} of them, at most ${maxDepth} deep. \`status\` is a criterion there, while visibility and \`hideFromListings\` apply to the whole list.`,
  fields: (t) => ({
    ...eventCriteriaFields(t),
    not: t.field({
      type: EventFilter,
      description:
        'Leaves out the events that this filter selects. If the filter has a criterion about fields that a password hides, events with hidden fields are left out, too.',
    }),
    any: t.field({ type: [EventFilter], description: 'Only events that at least one of these filters selects.' }),
  }),
})

export interface EventSelection extends Pick<CriteriaFilters, 'times' | 'venues' | 'references'> {
  readonly where: Prisma.EventWhereInput
  readonly anywhere: Prisma.EventWhereInput
  readonly searchMatch: FindSearchMatch
}

interface SelectionOptions {
  readonly splitsByStart?: boolean
  /** Whether `occurrences: NEXT` selects the first date of each month, for counts by month. */
  readonly isOfEachMonth?: boolean
  /** Whether to select also events in the trash and, as far as the viewer may list them, those hidden from lists. */
  readonly withUnlisted?: boolean | undefined
}

/**
 * Converts the filter to Prisma filters. Criteria about fields that locked events hide leave out locked events, also in `not`,
 * and records that the caller may not see match nothing. If nothing matches `search`, it selects events with similar words,
 * unless `isExact`. With `splitsByStart`, the caller selects the events that start within `startRange` of the times apart from
 * the others. Throws badInputError for invalid references.
 */
export async function toEventSelection(
  filter: EventFilterInput,
  context: Context,
  { isExact = false, ...options }: SelectionOptions & { readonly isExact?: boolean } = {},
): Promise<EventSelection> {
  checkNesting(filter)
  const searchMode = filter.searchMode ?? 'words'
  const selection = await selectEvents(filter, { searchMode, ...options }, context)
  const isSearch = filter.search != null && filter.search.trim() !== ''
  const exact = { ...selection, searchMatch: async () => (isSearch ? 'exact' : null) } as const
  if (isExact || filter.search == null || searchMode !== 'words' || !hasSimilarWords(filter.search)) return exact
  if (await anyEventMatches(selection.where, context)) return exact
  const similar = await selectEvents(filter, { searchMode: 'similar', ...options }, context)
  const isAnySimilar = memoizeOnce(() => anyEventMatches(similar.where, context))
  // If no event has similar words either, the list is empty, as an exact search would be.
  const searchMatch: FindSearchMatch = async (isAnyFound) =>
    isAnyFound || (await isAnySimilar()) ? 'similar' : 'exact'
  return { ...similar, searchMatch }
}

/** Whether the filter selects an event. Not findFirst, which prepares the statement: PostgreSQL plans for the values. */
async function anyEventMatches(where: Prisma.EventWhereInput, { reads }: Context): Promise<boolean> {
  const statement = Prisma.sql`SELECT EXISTS (${await reads.event.matchingRowsSql(where, {}, { stopsEarly: true })}) AS found`
  const [row] = await reads.rows<{ found: boolean }>(statement)
  return row?.found === true
}

async function selectEvents(
  filter: EventFilterInput,
  { isOfEachMonth, withUnlisted, ...options }: SelectionOptions & Pick<Nesting, 'searchMode'>,
  context: Context,
) {
  const translation = translate(filter, { isNested: false, ...options }, context)
  const { criterion, anywhere, ...others } = await translation.catch(throwWithReadablePaths)
  if (filter.hideFromListings) requirePermission(context.viewer, 'editOthers')
  const listed: Prisma.EventWhereInput[] = [
    readableFilter(context),
    ...(filter.status || withUnlisted ? [] : [untrashedInListsFilter(context)]),
    withUnlisted && filter.hideFromListings == null
      ? unhiddenFilter(context)
      : { hideFromListings: filter.hideFromListings ?? false },
    inLanguageFilter(context),
  ]
  const where = { AND: [...listed, criterion.met] }
  const next = filter.occurrences === 'next' ? [await nextOfEachSeries(where, context, isOfEachMonth)] : []
  return { ...others, where: { AND: [where, ...next] }, anywhere: { AND: [...listed, anywhere.met, ...next] } }
}

/** Selects, of each series, the first date that matches, or of each month the first; and all events that are no dates of a series. */
export async function nextOfEachSeries(
  where: Prisma.EventWhereInput,
  context: Context,
  isOfEachMonth = false,
): Promise<Prisma.EventWhereInput> {
  const { reads } = context
  if (!(await hasSeries(context))) return {}
  const dates = await reads.event.matchingRowsSql(
    { AND: [where, { seriesId: { not: null } }] },
    {},
    { stopsEarly: !isOfEachMonth },
  )
  const statement = isOfEachMonth
    ? Prisma.sql`SELECT DISTINCT ON (series_id, date_trunc('month', starts_local)) id FROM (${dates}) AS date
      ORDER BY series_id, date_trunc('month', starts_local), starts_at, id`
    : Prisma.sql`SELECT next.id FROM series, LATERAL (
        SELECT id FROM (${dates}) AS date WHERE date.series_id = series.id ORDER BY starts_at, id LIMIT 1) AS next`
  const rows = await reads.rows<{ id: number }>(statement)
  return rows.length === 0 ? {} : { OR: [{ seriesId: null }, { id: { in: rows.map(({ id }) => id) } }] }
}

/** Answers of `hasSeries`, by the number of writes before them. */
const seriesFound = memoizeByObject((_writes: Context['writes']) => new Map<number, Promise<boolean>>())

/** Whether there is a series at all: without one, lists need no further statement. Read once, and again after writes. */
export function hasSeries({ reads, writes }: Context): Promise<boolean> {
  const found = seriesFound(writes)
  const count = writes.all.length
  const known = found.get(count)
  if (known) return known
  const statement = Prisma.sql`SELECT EXISTS (SELECT FROM series) AS found`
  const asked = reads.rows<{ found: boolean }>(statement, { prepared: true }).then(([row]) => row?.found === true)
  found.set(count, asked)
  return asked
}

const nestedIn = ({ not, any }: EventFilterInput): EventFilterInput[] => [...(not ? [not] : []), ...(any ?? [])]

function checkNesting(filter: EventFilterInput): void {
  const field = filter.any ? 'any' : 'not'
  let count = 0
  let level = nestedIn(filter)
  for (let depth = 1; level.length > 0; depth += 1) {
    count += level.length
    if (depth > maxDepth) throw badInputError({ [field]: `Filters in not and any can be at most ${maxDepth} deep.` })
    if (count > maxNested) throw badInputError({ [field]: `At most ${maxNested} filters are allowed in not and any.` })
    level = level.flatMap(nestedIn)
  }
}

interface Translation extends Pick<EventSelection, 'times' | 'venues' | 'references'> {
  readonly criterion: Criterion
  /** The filter without the criterion `near`. */
  readonly anywhere: Criterion
}

interface Nesting {
  readonly isNested: boolean
  readonly searchMode?: SearchMode
  readonly splitsByStart?: boolean
  readonly mustExist?: boolean | null | undefined
}

async function translate(filter: EventFilterInput, nesting: Nesting, context: Context): Promise<Translation> {
  const mustExist = filter.mustExist ?? nesting.mustExist
  const nested = { isNested: true, mustExist }
  const searchMode = nesting.searchMode ?? filter.searchMode ?? 'words'
  const wholeList = (['hideFromListings', 'occurrences'] as const).filter(
    (name) => nesting.isNested && filter[name] != null,
  )
  const errors = Object.fromEntries(
    wholeList.map((name) => [name, `${name} applies to the whole list. Set it outside of not and any.`]),
  )
  const { own, not, any } = await checkAll({
    own: () =>
      criteriaToFilters(
        { ...filter, mustExist },
        { errors, searchMode, splitsByStart: nesting.splitsByStart },
        context,
      ),
    not: () => (filter.not ? checkAtPath(['not'], () => translate(filter.not ?? {}, nested, context)) : undefined),
    any: () => filter.any && checkEachItem('any', filter.any, (each) => translate(each, nested, context)),
  })
  const { criteria, anywhere, ...others } = own
  const inner = [...(not ? [negate(not.criterion)] : []), ...(any ? [anyOf(any.map((each) => each.criterion))] : [])]
  return { ...others, criterion: allOf([...criteria, ...inner]), anywhere: allOf([...anywhere, ...inner]) }
}

/** Adds the path of the criterion, such as `any.0.venues`, to the field and message of problems in nested filters. */
function throwWithReadablePaths(error: unknown): never {
  const problems = toInputProblems(error).map((problem) => {
    const { path, message } = problem
    const end = path.findLastIndex((part) => typeof part === 'string')
    if (end <= 0) return problem
    const field = path.slice(0, end + 1).join('.')
    return { ...problem, path: [field, ...path.slice(end + 1)], message: `filter.${field}: ${message}` }
  })
  throw inputProblemsError(problems)
}
