import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import type { PreloadedRecord } from '../postgres/preloaded-record.ts'
import type { RecordCache, ResponseSize } from './result-cache.ts'

export type Path = GraphQLResolveInfo['path']

/** The response path of a value; undefined until an error or a resolver needs the path. */
export type LazyPath = Path | undefined

/** An operation for fixed values of the variables in @include and @skip, ready to execute. */
export interface CompiledOperation {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: Record<string, FragmentDefinitionNode>
  readonly root: CompiledSelection
}

/** The fields that an operation selects of one object type. */
export interface CompiledSelection {
  /**
   * Identifies the selection in cache keys: the same for equal selections of several operations. Undefined unless all fields, at
   * any depth, depend only on the record and the ResolverReader.
   */
  readonly number: number | undefined
  readonly fields: readonly CompiledField[]
  /** Creates an object with the keys of the fields. */
  readonly newResult: () => Record<string, unknown>
}

/** A selected field with its resolver. */
export interface CompiledField {
  readonly key: string
  readonly node: FieldNode
  readonly nodes: readonly FieldNode[]
  readonly definition: GraphQLField<unknown, unknown>
  readonly parent: GraphQLObjectType
  readonly isNullable: boolean
  readonly hasArguments: boolean
  readonly resolve: GraphQLFieldResolver<unknown, unknown>
  /** Resolves the field of a preloaded record; undefined if the resolver needs `info`. */
  readonly resolvePreloaded: PreloadedResolver | undefined
  /**
   * Identifies the field in cache keys by its response key, name and selection. Undefined unless the value depends only on the
   * record and the ResolverReader.
   */
  readonly cacheKey: string | undefined
  readonly complete: CompleteValue
}

/** Resolves a field of a preloaded record. */
export type PreloadedResolver<Info extends unknown[] = []> = (
  record: PreloadedRecord,
  args: object,
  context: unknown,
  ...info: Info
) => unknown

/** Completes a value (CompleteValue of the GraphQL specification). Throws or rejects for null if the type is non-null. */
export type CompleteValue = (
  execution: Execution,
  field: CompiledField,
  parent: LazyPath,
  path: LazyPath,
  value: unknown,
) => unknown

/** The state of the execution of one operation. */
export interface Execution {
  readonly operation: CompiledOperation
  readonly context: unknown
  readonly variableValues: GraphQLResolveInfo['variableValues']
  readonly rootValue: unknown
  readonly errors: GraphQLError[]
  readonly size: ResponseSize
  /** Cache of results of record resolvers; undefined if results are not cached. */
  readonly records: RecordCache | undefined
}
