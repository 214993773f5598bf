// Limits the size of GraphQL documents before validation, which takes time in proportion to the square of the size.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  parse,
  type SelectionSetNode,
  type Source,
} from 'graphql'
import { createRequestError } from '../request-errors.ts'

const limits = { characters: 50_000, tokens: 2000, depth: 20, aliases: 200, fragments: 50, repeats: 20 } as const

/** Parses a document. Throws for a syntax error or a document that exceeds a limit. */
export function parseLimited(source: Source | string): DocumentNode {
  const { length } = typeof source === 'string' ? source : source.body
  // Characters are limited, too, because the token limit does not count comments.
  if (length > limits.characters) throw tooLarge('characters', length)
  const document = parseShort(source)
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  if (fragments.size > limits.fragments) throw tooLarge('fragments', fragments.size)
  const counts: DocumentCounts = { fragments, depths: new Map(), aliases: 0 }
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue
    const depth = depthOf(definition.selectionSet, counts)
    if (depth > limits.depth) throw tooLarge('depth', depth)
  }
  if (counts.aliases > limits.aliases) throw tooLarge('aliases', counts.aliases)
  return document
}

function parseShort(source: Source | string): DocumentNode {
  try {
    return parse(source, { maxTokens: limits.tokens })
  } catch (error) {
    if (error instanceof GraphQLError && /more than \d+ tokens/.test(error.message)) throw tooLarge('tokens', 'more')
    throw error
  }
}

const descriptions = {
  characters: 'characters (pass long values as variables)',
  tokens: 'tokens',
  depth: 'levels of nested fields',
  aliases: 'aliases',
  fragments: 'fragments',
  repeats: 'repetitions of a field in one selection set',
}

const tooLarge = (what: keyof typeof descriptions, count: number | 'more') =>
  createRequestError(
    'DOCUMENT_TOO_LARGE',
    `The document has ${count} ${descriptions[what]}; the limit is ${limits[what]}. Request fewer fields, or use several requests.`,
    { status: 400 },
  )

interface DocumentCounts {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Depths of visited selection sets; undefined while a selection set is being visited. */
  readonly depths: Map<SelectionSetNode, number | undefined>
  aliases: number
}

/** Returns the depth of nested fields, including fragments. Visits each selection set once. */
function depthOf(set: SelectionSetNode, counted: DocumentCounts): number {
  const { depths, fragments } = counted
  if (depths.has(set)) return depths.get(set) ?? throwCyclic()
  depths.set(set, undefined)
  const seen = new Map<string, number>()
  let maxDepth = 0
  for (const selection of set.selections) {
    const key = nameIn(selection)
    const times = (seen.get(key) ?? 0) + 1
    if (times > limits.repeats) throw tooLarge('repeats', times)
    seen.set(key, times)
    if (selection.kind === Kind.FIELD && selection.alias) counted.aliases += 1
    const inner = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(key)?.selectionSet : selection.selectionSet
    const depth = inner ? depthOf(inner, counted) : 0
    maxDepth = Math.max(maxDepth, selection.kind === Kind.FIELD ? depth + 1 : depth)
  }
  depths.set(set, maxDepth)
  return maxDepth
}

function nameIn(selection: SelectionSetNode['selections'][number]): string {
  if (selection.kind === Kind.FIELD) return (selection.alias ?? selection.name).value
  return selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : '…'
}

function throwCyclic(): never {
  throw createRequestError('GRAPHQL_VALIDATION_FAILED', 'A fragment spreads itself.', { status: 400, spec: true })
}
