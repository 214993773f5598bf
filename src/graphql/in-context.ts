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
  getOperationAST,
  getVariableValues,
} from 'graphql'

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
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined
}

/** What the directive on the operation that is to run says; empty without one, or when its variables are wrong. */
export function readInContext(schema: GraphQLSchema, { document, operationName, variableValues }: Request): InContext {
  const operation = getOperationAST(document, operationName)
  const directive = schema.getDirective('inContext')
  if (!operation?.directives?.length || !directive) return {}
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {})
  const values = variables.variableValues && getDirectiveValues(directive, operation, variables.variableValues)
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null))
}
