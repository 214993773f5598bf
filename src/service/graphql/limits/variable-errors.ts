import {
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isInputType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
  validateInputValue,
} from 'graphql'
import type { OperationRequest, Variables } from '../../../engine/execution/analyze-operation.ts'

const maxErrors = 50

/** Characters: a message quotes the value. */
const maxMessageLength = 500

/**
 * All errors of the variables, each with the variable and the path in its value, in the form of the paths of user errors.
 * `errors` are those of graphql-js, which contain paths only in their messages.
 */
export function variableErrors(
  schema: GraphQLSchema,
  { document, operationName, variableValues }: OperationRequest,
  errors: readonly GraphQLError[],
  hideSuggestions: boolean,
): readonly GraphQLError[] {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  const located = definitions.flatMap((node) => errorsOf(schema, node, variableValues ?? {}, hideSuggestions))
  return located.length > 0 ? located.slice(0, maxErrors) : errors.map((error) => badVariable(error, error.nodes))
}

class TooManyErrors extends Error {}

function errorsOf(
  schema: GraphQLSchema,
  node: VariableDefinitionNode,
  values: Variables,
  hideSuggestions: boolean,
): GraphQLError[] {
  const type = typeFromAST(schema, node.type)
  const variable = node.variable.name.value
  const value = Object.hasOwn(values, variable) ? values[variable] : undefined
  if (!isInputType(type) || (value === undefined && (node.defaultValue || !isNonNullType(type)))) return []
  const errors: GraphQLError[] = []
  const add = ({ message }: GraphQLError, place: readonly (string | number)[]) => {
    // graphql-js reports a field that is missing or unknown at the object.
    const field = / (?:required|unknown) field "(\w+)"/.exec(message)?.[1]
    const path = field === undefined ? place : [...place, field]
    const at = ['', ...place].join('.').replace(/\.(\d+)/g, '[$1]')
    const text = `Variable "$${variable}" has invalid value${at && ` at ${at}`}: ${message}`
    errors.push(badVariable({ message: text }, [node], { variable, path: path.map(String) }))
    if (errors.length === maxErrors) throw new TooManyErrors()
  }
  try {
    validateInputValue(value, type, add, hideSuggestions)
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error
  }
  return errors
}

const badVariable = (
  { message }: Pick<GraphQLError, 'message'>,
  nodes: GraphQLError['nodes'],
  place: { readonly variable?: string; readonly path?: readonly string[] } = {},
) =>
  new GraphQLError(message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message, {
    nodes,
    extensions: { code: 'BAD_INPUT', ...place, http: { status: 400, spec: true } },
  })
