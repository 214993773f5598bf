import { GraphQLError, GraphQLScalarType } from 'graphql'
import { GraphQLLocalDateTime, GraphQLURL } from 'graphql-scalars'

const wallClock = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/** The library's scalar takes offsets too and drops them silently; a wall clock has none. */
export const localDateTime = new GraphQLScalarType({
  ...GraphQLLocalDateTime.toConfig(),
  description: 'A wall clock without time zone, `2026-05-01T20:30:00`.',
  parseValue(value) {
    if (typeof value === 'string' && wallClock.test(value) && !Number.isNaN(Date.parse(`${value}Z`))) return value
    throw new GraphQLError('A LocalDateTime is a wall clock without offset, such as 2026-05-01T20:30:00.')
  },
  parseLiteral: undefined,
})

/** The library's scalar rewrites addresses (`http://x` to `http://x/`); they are shown as they were given. */
export const url = new GraphQLScalarType({
  ...GraphQLURL.toConfig(),
  description: 'An absolute URL.',
  serialize: String,
  parseValue(value) {
    if (typeof value === 'string' && URL.canParse(value)) return value
    throw new GraphQLError('A URL is absolute, such as https://example.org/.')
  },
  parseLiteral: undefined,
})
