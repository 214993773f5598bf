// Finds which kinds of records a statement reads, by the table names in its text.
import { memoize } from '../../basics/memoize.ts'
import { models } from '../postgres/data-model.ts'
import { type CachedKind, cachedKinds } from './read-record.ts'

interface TableKind {
  readonly kind: CachedKind
  /** Name of the column with the ID of the record. */
  readonly column: string
}

/** Tables whose names do not begin with the name of their kind, or whose ID column has another name. */
const others: Readonly<Record<string, TableKind>> = {
  ticket: { kind: 'event', column: 'event_id' },
  content: { kind: 'event', column: 'id' },
  series: { kind: 'event', column: 'id' },
  search_token: { kind: 'event', column: 'token' },
  category_path: { kind: 'category', column: 'descendant_id' },
  credential: { kind: 'user', column: 'user_id' },
}

/** Returns the kind of record that the rows of a table belong to; undefined if changes of the table are not notified. */
export function tableKind(table: string): TableKind | undefined {
  const other = others[table]
  if (other) return other
  if (table.startsWith('content_')) return { kind: 'event', column: 'content_id' }
  const kind = cachedKinds.find((name) => table === name || table.startsWith(`${name}_`))
  return kind && { kind, column: table === kind ? 'id' : `${kind}_id` }
}

/** Kinds that the SQL functions of this database read, by the name of the function. */
const functions: Readonly<Record<string, readonly (CachedKind | undefined)[]>> = {
  similar_names: ['event', 'venue', 'organizer', 'category', 'tag'],
}

const names = [...[...models.values()].map(({ table }) => table.slice(1, -1)), ...Object.keys(functions)]
/** Matches names of tables and functions, but not aliases, parts of string literals, or names before a dot. */
const namePattern = new RegExp(`(?<![.'\\w]|\\bAS\\s"?)"?\\b(${names.join('|')})\\b"?(?!["\\s]*\\.)`, 'g')
const timePattern = /\b(?:starts|ends)_at"?\s*[<>]=?\s*(?:\(SELECT )?\$(\d+)/g

interface StatementKinds {
  readonly kinds: readonly CachedKind[]
  /** Whether the statement reads a table whose changes are not notified. */
  readonly isUncacheable: boolean
  /** Indices of the bound values with which the statement compares starts or ends of events. */
  readonly times: readonly number[]
}

export const findStatementKinds = memoize(
  { name: 'statementKinds', maxSize: 4_000_000 },
  (text: string): StatementKinds => {
    const found = new Set([...text.matchAll(namePattern)].map(([, name = '']) => name))
    const kinds = [...found].flatMap((name) => functions[name] ?? [tableKind(name)?.kind])
    return {
      kinds: [...new Set(kinds)].filter((kind) => kind !== undefined),
      isUncacheable: kinds.includes(undefined),
      times: [...text.matchAll(timePattern)].map(([, number]) => Number(number) - 1),
    }
  },
)
