// Reads recurrence rules (RFC 5545, 3.3.10, and RFC 7529).
import { RRuleTemporal } from 'rrule-temporal'
import { normalizeIso } from './iso-text.ts'
import { whyYearlyRuleUnsupported } from './yearly-days.ts'

export interface RecurrenceRule {
  /** The text of the rule without COUNT and UNTIL. */
  readonly pattern: string
  readonly count: number | undefined
  /** The end of the recurrence, in the format of `normalizeIso`. */
  readonly until: string | undefined
  /** Whether several occurrences can be on the same day. */
  readonly isWithinDays: boolean
  /** Messages about invalid parts of the rule; each message says how the part was read. */
  readonly notes: readonly string[]
}

const range = (min: number, max: number) => (text: string) => /^[+-]?\d+$/.test(text) && +text >= min && +text <= max
const listOf = (isValid: (text: string) => boolean) => (text: string) => text.split(',').every(isValid)
const signed = (max: number) => listOf((text) => range(-max, max)(text) && Number(text) !== 0)
const oneOf = (names: string) => (text: string) => names.split(' ').includes(text)
const positive = range(1, Number.POSITIVE_INFINITY)

const parts: Readonly<Record<string, (text: string) => boolean>> = {
  FREQ: oneOf('YEARLY MONTHLY WEEKLY DAILY HOURLY MINUTELY SECONDLY'),
  INTERVAL: positive,
  COUNT: positive,
  UNTIL: (text) => normalizeIso(text.slice(0, 8)) !== undefined || normalizeIso(text) !== undefined,
  BYSECOND: listOf(range(0, 60)),
  BYMINUTE: listOf(range(0, 59)),
  BYHOUR: listOf(range(0, 23)),
  BYDAY: listOf((text) => /^([+-]?([1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/.test(text)),
  BYMONTHDAY: signed(31),
  BYYEARDAY: signed(366),
  BYWEEKNO: signed(53),
  BYMONTH: listOf((text) => range(1, 13)(text.replace(/L$/, ''))),
  BYSETPOS: signed(366),
  WKST: oneOf('MO TU WE TH FR SA SU'),
  RSCALE: oneOf('GREGORIAN CHINESE HEBREW INDIAN'),
  SKIP: oneOf('OMIT BACKWARD FORWARD'),
}

/** Maximum number of times of day in a rule. The library computes all of them in each period, even with COUNT=1. */
const maxTimes = 1000

/** Parses a recurrence rule. Returns an error message if the rule is not supported. */
export function parseRule(text: string): RecurrenceRule | string {
  const values = new Map<string, string>()
  for (const part of text.toUpperCase().replace(/\s/g, '').split(';')) {
    const [name = '', value = ''] = part.split('=')
    // An empty part such as `BYDAY=` has no effect, and `X-` extensions may be ignored.
    if (value === '' || name.startsWith('X-')) continue
    if (!parts[name]?.(value)) return `${part.slice(0, 60)} is not a part of a rule`
    if (values.has(name)) return `${name} occurs twice`
    values.set(name, value)
  }
  if (!values.has('FREQ')) return 'FREQ is missing'
  const times = ['BYHOUR', 'BYMINUTE', 'BYSECOND'].map((name) => values.get(name)?.split(',').length ?? 1)
  if (times.reduce((product, length) => product * length) > maxTimes)
    return `BYHOUR, BYMINUTE and BYSECOND have more than ${maxTimes} combinations`
  if (!values.has('RSCALE') && range(13, 13)(values.get('BYMONTH') ?? '')) return 'BYMONTH=13 needs RSCALE'
  // Only yearly rules: the library takes 15 to 100 ms to compute a date in a calendar other than the Gregorian.
  if ((values.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN' && values.get('FREQ') !== 'YEARLY')
    return `RSCALE=${values.get('RSCALE')} is supported with FREQ=YEARLY only`
  const { COUNT, UNTIL, ...others } = Object.fromEntries(values)
  const pattern = Object.entries(others)
    .map((entry) => entry.join('='))
    .join(';')
  const reason = reasonAgainst(pattern) ?? whyYearlyRuleUnsupported(others)
  if (reason !== undefined) return reason
  const until = UNTIL === undefined ? undefined : (existing(normalizeIso(UNTIL)) ?? normalizeIso(UNTIL.slice(0, 8)))
  const notes: string[] = []
  if (UNTIL && until !== normalizeIso(UNTIL))
    notes.push(`UNTIL=${UNTIL} is not a time: it was read as the end of that day.`)
  if (COUNT && UNTIL) notes.push('A rule cannot have both COUNT and UNTIL: it was read to end with the first of them.')
  return { pattern, count: COUNT ? Number(COUNT) : undefined, until, isWithinDays: isWithinDays(others), notes }
}

/** Returns why RFC 5545 forbids the rule, for example because a weekly rule has BYMONTHDAY; undefined for a valid rule. */
function reasonAgainst(pattern: string): string | undefined {
  try {
    new RRuleTemporal({ rruleString: `DTSTART:20000101T000000Z\nRRULE:${pattern}`, strict: true })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Returns the time unchanged, or undefined if it is a time in UTC that does not exist, such as 25:00. */
const existing = (iso: string | undefined) => (iso?.endsWith('Z') && Number.isNaN(Date.parse(iso)) ? undefined : iso)

const isWithinDays = ({ FREQ, BYHOUR, BYMINUTE, BYSECOND }: Record<string, string>) =>
  /^(HOURLY|MINUTELY|SECONDLY)$/.test(FREQ ?? '') || [BYHOUR, BYMINUTE, BYSECOND].some((list) => list?.includes(','))
