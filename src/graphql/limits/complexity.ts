// How fields, arguments and fields of inputs declare what they add to the cost of an operation. The words are those of
// GraphQL's cost directives: weight, assumed size, slicing arguments.
import type { GraphQLField } from 'graphql'

export interface Complexity {
  /** Instead of the usual weight of a value; of an argument or a field of an input: added when it has a value. */
  readonly weight?: number
  /** Weight of a long text in a list within another list, where the same text may be read again for each record. */
  readonly nestedWeight?: number
  /** Length of a list without slicing arguments. */
  readonly assumedSize?: number
  /**
   * Arguments that say how long the list is: its length as a number, or as many items as the argument has. Where the field
   * returns an object, such as a connection, they say how long the lists in that object are.
   */
  readonly slicingArguments?: readonly string[]
  /** Leads from an item of a list back to what has the list: each item may lead to the whole list again. */
  readonly leadsToParent?: boolean
}

/** What `extensions` of the schema may hold. */
type Extensions = {
  readonly complexity?: Complexity
}

/** For `extensions` of a field, an argument or a field of an input. */
export const complexity = (declared: Complexity): Extensions => ({ complexity: declared })

/** The field asks the database to count. */
export const counts = complexity({ weight: 10 })

/** No index of an order serves this filter. */
export const searches = complexity({ weight: 50 })

export const longText = complexity({ nestedWeight: 10 })

/** Fields of introspection cannot declare anything. Lengths of the lists of a schema like this one. */
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
