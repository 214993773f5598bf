// Groups the differences, and formats them as lines.
import { formatTable } from '../print.ts'
import type { Difference, RootPair } from './compare.ts'
import { toObject, toRecordId } from './json.ts'
import { listDeviations } from './list-deviations.ts'
import { recordDeviations } from './record-deviations.ts'
import { type Exchange, formatSiteRequest } from './send.ts'

interface Found {
  readonly difference: Difference
  readonly exchange: Exchange
  readonly root: RootPair
}

interface Compared {
  readonly legacy: string
  readonly ours: string
  readonly requests: number
  readonly ids: 'kept' | 'by slug'
}

export type VerifyReport = ReturnType<typeof createReport>

/** `ignore`: fields to leave out, such as `modified` or `event.venue`. */
export function createReport(compared: Compared, found: readonly Found[], ignore: readonly string[]) {
  const counted = found
    .filter(({ difference }) => !isIgnored(difference.field, ignore))
    .map((one) => ({ ...one, deviation: explanationOf(one) }))
  const unexplained = counted.filter(({ deviation }) => !deviation)
  const byField = Map.groupBy(unexplained, ({ difference: { field, what } }) => `${field} ${what}`)
  const byText = Map.groupBy(counted, ({ deviation }) => deviation?.text)
  byText.delete(undefined)
  return {
    ...compared,
    /** The number of requests whose responses have no unexplained difference. */
    equal: compared.requests - new Set(unexplained.map(({ exchange }) => exchange)).size,
    unexplained: [...byField.values()]
      .flatMap((all) =>
        all.slice(0, 1).map((first) => {
          const { field, what } = first.difference
          return { field, what, count: all.length, example: exampleOf(first) }
        }),
      )
      .sort((one, other) => other.count - one.count),
    explained: [...byText.values()].flatMap((all) =>
      all.slice(0, 1).map((first) => {
        const fields = [...new Set(all.map(({ difference }) => difference.field))]
        const { rule = '', text = '' } = first.deviation ?? {}
        return { rule, text, count: all.length, fields, example: exampleOf(first) }
      }),
    ),
    ignored: found.length - counted.length,
  }
}

function explanationOf(found: Found): { rule: string; text: string } | undefined {
  const { difference, root } = found
  if (difference.what !== 'id') return findDocumentedDeviation(found)
  const kind = difference.field.endsWith('author') ? 'author' : 'image'
  const isRenamed = root.pairs.isRenamed(kind, difference.legacy, difference.ours)
  return isRenamed ? { rule: 'c.2', text: 'The same authors and images have other IDs.' } : undefined
}

/** All documented differences between the legacy contract and this service (docs/legacy-contract.md). */
export const documentedDeviations = [...listDeviations, ...recordDeviations]

/** Returns the documented deviation that explains a difference; undefined if there is none. */
const findDocumentedDeviation = ({ difference, exchange, root }: Found) =>
  documentedDeviations.find(
    ({ field, key, what, path, asks = [], when }) =>
      (!field || field.test(difference.field)) &&
      (!key || key.test(difference.key)) &&
      (!what || what === difference.what) &&
      (!path || path.test(exchange.request.path)) &&
      asks.every((name) => name in exchange.request.query) &&
      (!when || when(difference, exchange, root)),
  )

const isIgnored = (field: string, ignore: readonly string[]) =>
  ignore.some((name) => `.${field}.`.includes(`.${name}.`))

function exampleOf({ difference, exchange, root }: Found) {
  const language = root.language === undefined ? '' : `${root.language}: `
  const [legacy, ours] = [difference.legacy, difference.ours].map(briefly)
  return { request: `${language}${formatSiteRequest(exchange.request)}`, legacy, ours }
}

const maxItems = 5

/** Shortens a value for the report. Of records, only ID and slug stay. */
function briefly(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(briefly)
  const { id, slug } = toObject(value)
  return toRecordId(id) !== undefined ? [id, slug].join(' ').trim() : value
}

export function formatVerifyReport({ requests, equal, ids, unexplained, explained, ignored }: VerifyReport): string[] {
  const unexplainedRows = unexplained.map(({ field, what, count, example: { legacy, ours, request } }) => {
    return [String(count), field, what, excerpt(legacy), excerpt(ours), request]
  })
  const explainedRows = explained.map(({ rule, text, count, fields }) => [String(count), rule, text, fieldList(fields)])
  return [
    ...tableOf(
      'Unexplained differences:',
      ['count', 'field', 'what', 'legacy', 'ours', 'for example'],
      unexplainedRows,
    ),
    ...tableOf('Differences that docs/legacy-contract.md explains:', ['count', 'rule', '', 'fields'], explainedRows),
    ...(ids === 'by slug' ? ['Records have other IDs on this service: they were compared by their slugs.'] : []),
    ...(ignored > 0 ? [`${ignored} differences of ignored fields were left out.`] : []),
    unexplained.length === 0
      ? `${requests} requests: no unexplained difference`
      : `${requests} requests: ${requests - equal} responses with unexplained differences`,
  ]
}

const tableOf = (title: string, headings: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [title, ...formatTable(headings, rows), '']

const maxFields = 4

const fieldList = (fields: readonly string[]) =>
  `${fields.slice(0, maxFields).join(', ')}${fields.length > maxFields ? `, ${fields.length - maxFields} more` : ''}`

const maxExcerpt = 60

function excerpt(value: unknown): string {
  if (value === undefined) return '(absent)'
  const text = JSON.stringify(value)
  return text.length > maxExcerpt ? `${text.slice(0, maxExcerpt - 1)}…` : text
}
