import { GraphQLError, GraphQLScalarType, type GraphQLScalarTypeConfig } from 'graphql'
import { GraphQLDateTime, GraphQLLocalDate, GraphQLLocalDateTime, GraphQLURL } from 'graphql-scalars'
import { type ParsedDate, parseDate } from '../../basics/dates/natural-date.ts'

/** Whether the date is valid and its year has four digits, as in both ISO 8601 and the database. */
export const isStorableDate = (date: Date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999

const leapSecond = /:59:60(?=\D)/

/**
 * Differs from the scalar of graphql-scalars: refuses the year 0, accepts leap seconds (RFC 3339 permits them, and POSIX counts
 * them as the next second) and the offset `+0000` without a colon.
 */
export const dateTimeScalar = withParser(GraphQLDateTime.toConfig(), (value) => {
  const text = typeof value === 'string' ? value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : value
  const isLeap = typeof text === 'string' && leapSecond.test(text)
  const date = instant(isLeap ? text.replace(leapSecond, ':59:59') : text)
  if (isLeap) date.setTime(date.getTime() + 1000)
  // A leap second can only be the last second of a day in UTC.
  if (isLeap && (date.getUTCHours() > 0 || date.getUTCMinutes() > 0)) throw notInstant()
  if (isStorableDate(date)) return date
  throw new GraphQLError('A DateTime must be between the years 0001 and 9999.')
})

function instant(value: unknown): Date {
  try {
    return GraphQLDateTime.parseValue(value)
  } catch {
    throw notInstant()
  }
}

const notInstant = () =>
  new GraphQLError(
    'A DateTime must be an existing date and time with offset, such as 2026-05-01T20:30:00Z or 2026-05-01T20:30:00+02:00.',
  )

/** Refuses offsets, which the scalar of graphql-scalars ignores. Accepts times without seconds, as HTML forms send them. */
export const localDateTimeScalar = withParser(
  {
    ...GraphQLLocalDateTime.toConfig(),
    description:
      'A local date and time without time zone, such as `2026-05-01T20:30:00`. Input may leave out the seconds.',
  },
  (value) => {
    const local = String(value)
    const full = /T\d\d:\d\d$/.test(local) ? `${local}:00` : local
    const date = new Date(`${full}Z`)
    // JavaScript turns a day that does not exist, such as February 30, into a day of the next month.
    if (isStorableDate(date) && date.toISOString() === `${full}.000Z`) return full
    throw new GraphQLError(
      'A LocalDateTime must be an existing date and time without offset, such as 2026-05-01T20:30:00 or 2026-05-01T20:30.',
    )
  },
)

/** Whether the scalar accepts a text. */
export function isLocalDateTime(text: string): boolean {
  try {
    localDateTimeScalar.parseValue(text)
    return true
  } catch {
    return false
  }
}

/** A day of a calendar, which has no time zone. Refuses the year 0. */
export const localDateScalar = withParser(
  { ...GraphQLLocalDate.toConfig(), description: 'A local date without time zone, such as `2026-05-01`.' },
  (value) => {
    const day = GraphQLLocalDate.parseValue(value)
    if (!day.startsWith('0000')) return day
    throw new GraphQLError('A LocalDate must be between the years 0001 and 9999.')
  },
)

/** A day in any notation that the REST API accepts, such as `2026-05-01` or `tomorrow`. */
export const dayExpressionScalar = new GraphQLScalarType<ParsedDate, never>({
  name: 'DayExpression',
  description:
    'A day as text: a date such as `2026-05-01` or `1 May 2026`, or relative to the current day, such as `today`, `tomorrow`, `+1 week`, `monday next week` or `last day of next month`. A time of day only decides on the day if it has an offset or a time zone.',
  serialize: () => {
    throw new GraphQLError('A DayExpression can only be used as input.')
  },
  parseValue: (value) => {
    const date = typeof value === 'string' ? parseDate(value) : undefined
    // Relative dates are not checked, because whether they are in the supported years depends on the current time.
    if (date && (date.isRelative || date.resolve('2020-01-01T00:00:00') !== undefined)) return date
    throw new GraphQLError(
      'A DayExpression must be a day in the years 1 to 9999, such as 2026-05-01, today, +1 week or monday next week.',
    )
  },
})

/** Keeps URLs as they were sent. The scalar of graphql-scalars normalizes them, such as `http://x` to `http://x/`. */
export const urlScalar = withParser(
  { ...GraphQLURL.toConfig(), description: 'An absolute URL.', serialize: String, coerceOutputValue: String },
  (value) => {
    if (typeof value === 'string' && URL.canParse(value)) return value
    throw new GraphQLError('A URL must be absolute, such as https://example.org/.')
  },
)

/** Creates a copy of a scalar with another parser. graphql 17 has an old and a new name for the parser, and the config contains both. */
function withParser<Value, Output>(
  config: GraphQLScalarTypeConfig<Value, Output>,
  read: (value: unknown) => Value,
): GraphQLScalarType<Value, Output> {
  const own = { parseValue: read, coerceInputValue: read, parseLiteral: undefined, coerceInputLiteral: undefined }
  return new GraphQLScalarType({ ...config, ...own })
}

/** A file of a multipart request, by the GraphQL multipart request specification. */
export const fileScalar = new GraphQLScalarType<File, never>({
  name: 'File',
  description: 'A file, sent as a part of a multipart request.',
  serialize: () => {
    throw new GraphQLError('A File can only be used as input.')
  },
  parseValue: (value) => {
    if (typeof value === 'object' && value !== null && 'arrayBuffer' in value) return value as File
    throw new GraphQLError('A File must be sent as a part of a multipart request.')
  },
  parseLiteral: () => {
    throw new GraphQLError('A File must be passed as a variable.')
  },
})
