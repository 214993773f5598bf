import { GraphQLError, GraphQLScalarType, type GraphQLScalarTypeConfig } from 'graphql'
import { GraphQLDateTime, GraphQLLocalDateTime, GraphQLURL } from 'graphql-scalars'

/** Whether it is a date at all, in the years that the database and ISO 8601 both write with four digits. */
export const isStorable = (date: Date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999

/** The library's scalar takes the year 0 too. */
export const dateTime = withParser(GraphQLDateTime.toConfig(), (value) => {
  const date = GraphQLDateTime.parseValue(value)
  if (isStorable(date)) return date
  throw new GraphQLError('A DateTime is in the years 0001 to 9999.')
})

/** The library's scalar takes offsets too and drops them silently; a wall clock has none. */
export const localDateTime = withParser(
  {
    ...GraphQLLocalDateTime.toConfig(),
    description: 'A wall clock without time zone, `2026-05-01T20:30:00`.',
  },
  (value) => {
    const date = new Date(`${value}Z`)
    // A day that the month lacks would become another.
    if (isStorable(date) && date.toISOString() === `${value}.000Z`) return String(value)
    throw new GraphQLError('A LocalDateTime is a wall clock without offset, such as 2026-05-01T20:30:00.')
  },
)

/** The library's scalar rewrites addresses (`http://x` to `http://x/`); they are shown as they were given. */
export const url = withParser(
  { ...GraphQLURL.toConfig(), description: 'An absolute URL.', serialize: String, coerceOutputValue: String },
  (value) => {
    if (typeof value === 'string' && URL.canParse(value)) return value
    throw new GraphQLError('A URL is absolute, such as https://example.org/.')
  },
)

/** The scalar with another reading, of literals too: graphql 17 has two names for it, and a config holds both. */
function withParser<Value, Output>(
  config: GraphQLScalarTypeConfig<Value, Output>,
  read: (value: unknown) => Value,
): GraphQLScalarType<Value, Output> {
  const own = { parseValue: read, coerceInputValue: read, parseLiteral: undefined, coerceInputLiteral: undefined }
  return new GraphQLScalarType({ ...config, ...own })
}

/** A file of a multipart request, by the GraphQL multipart request specification. */
export const file = new GraphQLScalarType<File, never>({
  name: 'File',
  description: 'A file that is sent along, as a part of a multipart request.',
  serialize: () => {
    throw new GraphQLError('Files are only sent, never answered.')
  },
  parseValue: (value) => {
    if (typeof value === 'object' && value !== null && 'arrayBuffer' in value) return value as File
    throw new GraphQLError('A File is a part of a multipart request.')
  },
  parseLiteral: () => {
    throw new GraphQLError('A File is given as a variable.')
  },
})
