// Declares how much fields, arguments and input fields add to the cost of an operation, in the terms of the GraphQL cost
// directives specification: weight, assumed size, slicing arguments.
import type { GraphQLField } from 'graphql'

/** What a field, argument or input field adds to the cost of an operation. */
export interface Complexity {
  /**
   * Cost of a value: replaces the default weight of a scalar, and is added to the weight of an object or list. The weight of an
   * argument or input field is added if the argument or input field has a value.
   */
  readonly weight?: number
  /** Computes the weight of an argument or input field from its value, and from whether the list belongs to a record. */
  readonly weightOf?: (value: unknown, ofRecord: boolean) => number
  /** Weight of a long text in a list within another list, where the same text may be read again for each record. */
  readonly nestedWeight?: number
  /** Assumed length of a list without slicing arguments. */
  readonly assumedSize?: number
  /**
   * Names of arguments that set the length of the list, by their number or by the number of their items. If the field returns an
   * object, such as a connection, they set the length of the lists in this object.
   */
  readonly slicingArguments?: readonly string[]
  /** Computes the length of the lists in the returned object from the arguments, whose values may be invalid. */
  readonly length?: (args: Readonly<Record<string, unknown>>) => number
  /** Whether the field leads from a list item to the owner of the list, so that each item may lead to the whole list again. */
  readonly leadsToParent?: boolean
}

/** The part of the schema's `extensions` that declares complexity. */
type Extensions = {
  readonly complexity?: Complexity
}

/** Returns the `extensions` of a field, argument or input field that declare its complexity. */
export const complexity = (declared: Complexity): Extensions => ({ complexity: declared })

/** Complexity of fields that count records in the database. */
export const countComplexity = complexity({ weight: 10 })

/** Complexity of filters that cannot use the index of the sort order. */
export const searchComplexity = complexity({ weight: 50 })

/** Creates the complexity of a search that may read all texts, and compares each word. */
const wordsComplexity = (word: RegExp, weight: number, weightOfWord: number) =>
  complexity({
    weightOf: (search, ofRecord) => (ofRecord ? 30 : weight + weightOfWord * (String(search).match(word)?.length ?? 0)),
  })

/** Complexity of searches in the texts of events. Quotes and some punctuation separate words even without white space. */
export const textComplexity = wordsComplexity(/[^\s"“”„‟«»‹›＂,;!?…()[\]{}—]+/g, 400, 100)

/** Complexity of searches in the texts of other records, which are shorter. All punctuation separates words. */
export const nameComplexity = wordsComplexity(/[\p{L}\p{M}\p{N}-]+/gu, 200, 50)

/** Complexity of sorting by relevance, which reads the texts of some matching records. */
export const relevanceComplexity = complexity({ weightOf: (_order, ofRecord) => (ofRecord ? 0 : 200) })

/** Complexity of a sort order that looks up a venue of each event. */
export const placeOrderComplexity = complexity({ weight: 350 })

/** Complexity of fields with long texts, such as descriptions. */
export const longTextComplexity = complexity({ nestedWeight: 10 })

/** Complexity of the fields of introspection, which cannot declare extensions. */
const introspection: Readonly<Record<string, Complexity>> = {
  types: { assumedSize: 120 },
  fields: { assumedSize: 10 },
  inputFields: { assumedSize: 10 },
  enumValues: { assumedSize: 5 },
}

const undeclared: Complexity = {}

export function complexityOf({ extensions }: { readonly extensions: Extensions }): Complexity {
  return extensions.complexity ?? undeclared
}

export function introspectionComplexity({ name }: GraphQLField<unknown, unknown>): Complexity {
  return introspection[name] ?? undeclared
}
