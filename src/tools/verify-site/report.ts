// Groups differences, and prints them.
import { table } from '../print.ts'
import type { Difference, Root } from './compare.ts'
import type { Deviation } from './deviation.ts'
import { deviationOf } from './deviations.ts'
import { idOf, isObject } from './json.ts'
import { type Exchange, requestText } from './send.ts'

interface Example {
  readonly request: string
  readonly legacy: unknown
  readonly ours: unknown
}

interface Group {
  readonly field: string
  readonly what: Difference['what']
  readonly count: number
  readonly example: Example
}

interface Explained {
  readonly rule: string
  readonly text: string
  readonly count: number
  readonly fields: readonly string[]
  readonly example: Example
}

export interface VerifyReport {
  readonly legacy: string
  readonly ours: string
  readonly requests: number
  /** Requests whose responses have no unexplained difference. */
  readonly equal: number
  readonly ids: 'kept' | 'by slug'
  readonly unexplained: readonly Group[]
  readonly explained: readonly Explained[]
  readonly ignored: number
}

interface Found {
  readonly difference: Difference
  readonly exchange: Exchange
  readonly root: Root
}

interface ReportInput {
  readonly legacy: string
  readonly ours: string
  readonly found: readonly Found[]
  readonly exchanges: number
  /** Names of fields, such as `modified` or `event.venue`. */
  readonly ignore: readonly string[]
  readonly ids: VerifyReport['ids']
}

/** The rule for authors and images, whose IDs may be others on a new site. */
const renamed: Pick<Deviation, 'rule' | 'text'> = {
  rule: 'c.2',
  text: 'The same authors and images have other IDs.',
}

export function createReport({ legacy, ours, found, exchanges, ignore, ids }: ReportInput): VerifyReport {
  const counted = found.filter(({ difference }) => !isIgnored(difference.field, ignore))
  const deviations = new Map(counted.map((one) => [one, explanationOf(one)]))
  const unexplained = counted.filter((one) => !deviations.get(one))
  const byField = Map.groupBy(unexplained, ({ difference }) => `${difference.field} ${difference.what}`)
  const byText = Map.groupBy(counted, (one) => deviations.get(one)?.text)
  byText.delete(undefined)
  return {
    legacy,
    ours,
    requests: exchanges,
    equal: exchanges - new Set(unexplained.map(({ exchange }) => exchange)).size,
    ids,
    unexplained: [...byField.values()].flatMap(groupOf).sort((one, other) => other.count - one.count),
    explained: [...byText.values()].flatMap((all) => {
      const [deviation] = all.flatMap((one) => deviations.get(one) ?? [])
      const fields = [...new Set(all.map(({ difference }) => difference.field))]
      const [example] = all.slice(0, 1).map(exampleOf)
      return deviation && example
        ? [{ rule: deviation.rule, text: deviation.text, count: all.length, fields, example }]
        : []
    }),
    ignored: found.length - counted.length,
  }
}

function explanationOf({ difference, exchange, root }: Found): Pick<Deviation, 'rule' | 'text'> | undefined {
  if (difference.what !== 'id') return deviationOf(difference, exchange, root)
  const kind = difference.field.endsWith('author') ? 'author' : 'image'
  return root.pairs.isRenamed(kind, difference.legacy, difference.ours) ? renamed : undefined
}

const isIgnored = (field: string, ignore: readonly string[]) =>
  ignore.some((name) => `.${field}.`.includes(`.${name}.`))

const groupOf = (found: readonly Found[]): Group[] =>
  found.slice(0, 1).map((first) => {
    const { field, what } = first.difference
    return { field, what, count: found.length, example: exampleOf(first) }
  })

function exampleOf({ difference, exchange, root }: Found): Example {
  const language = root.language === undefined ? '' : `${root.language}: `
  const [legacy, ours] = [difference.legacy, difference.ours].map(briefly)
  return { request: `${language}${requestText(exchange.request)}`, legacy, ours }
}

const maxItems = 5

/** Records by their IDs and slugs. */
function briefly(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(briefly)
  return isObject(value) && idOf(value.id) !== undefined ? [value.id, value.slug].join(' ').trim() : value
}

/** The report as lines of text. */
export function reportLines({ requests, equal, ids, unexplained, explained, ignored }: VerifyReport): string[] {
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
    ...(ids === 'by slug' ? ['Records have other IDs here: they were compared by their slugs.'] : []),
    ...(ignored > 0 ? [`${ignored} differences of ignored fields were left out.`] : []),
    unexplained.length === 0
      ? `${requests} requests: no unexplained difference`
      : `${requests} requests: ${requests - equal} responses with unexplained differences`,
  ]
}

const tableOf = (title: string, headings: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [title, ...table(headings, rows), '']

const maxFields = 4

const fieldList = (fields: readonly string[]) =>
  `${fields.slice(0, maxFields).join(', ')}${fields.length > maxFields ? `, ${fields.length - maxFields} more` : ''}`

const maxExcerpt = 60

function excerpt(value: unknown): string {
  if (value === undefined) return '(absent)'
  const text = JSON.stringify(value)
  return text.length > maxExcerpt ? `${text.slice(0, maxExcerpt - 1)}…` : text
}
