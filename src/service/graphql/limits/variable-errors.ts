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

/** Maximum number of characters of a message, because messages quote the invalid value. */
const maxMessageLength = 500

/** Returns all errors of the variables, each with the name of the variable and the path in its value. */
export const findVariableErrors = (
  schema: GraphQLSchema,
  { document, operationName, variableValues }: OperationRequest,
  hideSuggestions: boolean,
): GraphQLError[] =>
  (getOperationAST(document, operationName)?.variableDefinitions ?? [])
    .flatMap((node) => errorsOf(schema, node, variableValues ?? {}, hideSuggestions))
    .slice(0, maxErrors)

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
  const add = (error: GraphQLError, place: readonly (string | number)[]) => {
    // graphql-js reports a missing or unknown field with the path of its object, so the name is read from the message.
    const field = / (?:required|unknown) field "(\w+)"/.exec(error.message)?.[1]
    const path = field === undefined ? place : [...place, field]
    const at = ['', ...place].join('.').replace(/\.(\d+)/g, '[$1]')
    const text = `Variable "$${variable}" has invalid value${at && ` at ${at}`}: ${error.message}`
    const message = text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text
    const extensions = { code: 'BAD_INPUT', variable, path: path.map(String), http: { status: 400, spec: true } }
    errors.push(new GraphQLError(message, { nodes: node, extensions }))
    if (errors.length === maxErrors) throw new TooManyErrors()
  }
  try {
    validateInputValue(value, type, add, hideSuggestions)
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error
  }
  return errors
}
