// How fields, arguments and input fields declare their share in the cost of an operation, with the terms of the GraphQL cost
// directives: weight, assumed size, slicing arguments.
import type { GraphQLField } from 'graphql'

export interface Complexity {
  /**
   * Replaces the default weight of a value, and is added to that of an object or list. The weight of an argument or input
   * field is added if it has a value.
   */
  readonly weight?: number
  /** Computes the weight of an argument or input field from its value, and from whether the list belongs to a record. */
  readonly weightOf?: (value: unknown, ofRecord: boolean) => number
  /** Weight of a long text in a list within another list, where the same text may be read again for each record. */
  readonly nestedWeight?: number
  /** Length of a list without slicing arguments. */
  readonly assumedSize?: number
  /**
   * Arguments that determine the length of the list: as a number, or by the number of their items. If the field returns an
   * object, such as a connection, they determine the length of the lists in that object.
   */
  readonly slicingArguments?: readonly string[]
  /** Computes the length of the lists in the returned object from the arguments, whose values may be invalid. */
  readonly length?: (args: Readonly<Record<string, unknown>>) => number
  /** The field leads from an item of a list back to the owner of the list, so each item may lead to the whole list again. */
  readonly leadsToParent?: boolean
}

/** The part of the schema's `extensions` that declares complexity. */
type Extensions = {
  readonly complexity?: Complexity
}

/** Returns the `extensions` of a field, argument or input field that declare its complexity. */
export const complexity = (declared: Complexity): Extensions => ({ complexity: declared })

/** For fields that count records in the database. */
export const countComplexity = complexity({ weight: 10 })

/** For filters that cannot use the index of the sort order. */
export const searchComplexity = complexity({ weight: 50 })

/** For searches that may read all texts, and compare each word. */
const wordsComplexity = (word: RegExp, weight: number, weightOfWord: number) =>
  complexity({
    weightOf: (search, ofRecord) => (ofRecord ? 30 : weight + weightOfWord * (String(search).match(word)?.length ?? 0)),
  })

/** For searches in the texts of events. Quotes and some punctuation separate words even without white space. */
export const textComplexity = wordsComplexity(/[^\s"“”„‟«»‹›＂,;!?…()[\]{}—]+/g, 400, 100)

/** For searches in the texts of other records, which are shorter. All punctuation separates their words. */
export const nameComplexity = wordsComplexity(/[\p{L}\p{M}\p{N}-]+/gu, 200, 50)

/** For a sort order that reads the words of the texts of some matches. */
export const relevanceComplexity = complexity({ weightOf: (_order, ofRecord) => (ofRecord ? 0 : 200) })

/** For a sort order that looks up a venue of each event. */
export const placeOrderComplexity = complexity({ weight: 350 })

export const longTextComplexity = complexity({ nestedWeight: 10 })

/** Typical list lengths of introspection, whose fields cannot declare extensions. */
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
