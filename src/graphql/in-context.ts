// What an operation asks to be answered in: one value for all of it, decided before anything is resolved.
import {
  DirectiveLocation,
  type DocumentNode,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLEnumType,
  type GraphQLSchema,
  GraphQLString,
  getDirectiveValues,
} from 'graphql'
import { analyzeOperation, coerceVariables, type Variables } from './analyze-operation.ts'

export interface InContext {
  readonly language?: string
  readonly password?: string
  readonly forEditing?: boolean
}

/** `@inContext(language: FR, password: $password)`, with an enum value for each language of the site. */
export function inContextDirective(languages: readonly string[]): GraphQLDirective {
  const values = Object.fromEntries(
    languages.map((language) => [enumName(language), { value: language, description: `BCP 47: ${language}.` }]),
  )
  const LanguageCode = new GraphQLEnumType({ name: 'LanguageCode', description: 'A language of the site.', values })
  return new GraphQLDirective({
    name: 'inContext',
    description: 'Answers the whole operation in a language, and with the password of protected records.',
    locations: [DirectiveLocation.QUERY, DirectiveLocation.MUTATION],
    args: {
      language: { type: LanguageCode, description: 'Language of all text, before the language of the path.' },
      password: { type: GraphQLString, description: 'Opens the records that have this password.' },
      forEditing: { type: GraphQLBoolean, description: 'Opens locked records to those who may change them.' },
    },
  })
}

/** Name of a language in the enum LanguageCode. */
export const enumName = (language: string) => language.toUpperCase().replaceAll('-', '_')

interface Request {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

/** What the directive on the operation that is to run says; empty without one, or when its variables are wrong. */
export function readInContext(schema: GraphQLSchema, request: Request): InContext {
  const operation = analyzeOperation(schema, request)
  const directive = schema.getDirective('inContext')
  if (!operation?.node.directives?.length || !directive) return {}
  const { variableValues } = coerceVariables(operation, request.variableValues)
  const values = variableValues && getDirectiveValues(directive, operation.node, variableValues)
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null))
}
