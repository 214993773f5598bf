// The directive @inContext, which sets language, password and edit mode of a whole operation.
import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLString,
  getDirectiveValues,
} from 'graphql'
import { analyzeOperation, coerceVariables, type OperationRequest } from '../../engine/execution/analyze-operation.ts'

/** The arguments of the directive `@inContext` of an operation. */
export interface InContextDirectiveArguments {
  readonly language?: string
  readonly password?: string
  readonly forEditing?: boolean
}

/** Creates the directive, as in `@inContext(language: FR)`. `languageCode` is the enum LanguageCode of the schema. */
export const createInContextDirective = (languageCode: GraphQLInputType): GraphQLDirective =>
  new GraphQLDirective({
    name: 'inContext',
    description: 'Sets the language of the whole operation, and the password for protected records.',
    locations: [DirectiveLocation.QUERY, DirectiveLocation.MUTATION, DirectiveLocation.SUBSCRIPTION],
    args: {
      language: {
        type: languageCode,
        description: 'Language of all texts. Takes precedence over the language in the path.',
      },
      password: { type: GraphQLString, description: 'Unlocks the records that have this password.' },
      forEditing: { type: GraphQLBoolean, description: 'Unlocks protected records for users who may update them.' },
    },
  })

/** Reads the arguments of the directive. Returns an empty object without the directive, or if its variables are invalid. */
export function readInContextDirective(schema: GraphQLSchema, request: OperationRequest): InContextDirectiveArguments {
  const operation = analyzeOperation(schema, request)
  const directive = schema.getDirective('inContext')
  if (!operation?.node.directives?.length || !directive) return {}
  const { variableValues } = coerceVariables(operation, request.variableValues)
  const values = variableValues && getDirectiveValues(directive, operation.node, variableValues)
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null))
}
