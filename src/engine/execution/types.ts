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

/** The path of a value; undefined until something needs it. */
export type LazyPath = Path | undefined

export interface CompiledOperation {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: Record<string, FragmentDefinitionNode>
  readonly root: CompiledSelection
}

export interface CompiledSelection {
  /**
   * Identifies the selection in cache keys: the same for equal selections of several operations. Undefined unless all fields, at
   * any depth, depend only on the record and its reader.
   */
  readonly number: number | undefined
  readonly fields: readonly CompiledField[]
  /** Creates an object with the keys of the fields. */
  readonly newResult: () => Record<string, unknown>
}

export interface CompiledField {
  readonly key: string
  readonly node: FieldNode
  readonly nodes: readonly FieldNode[]
  readonly definition: GraphQLField<unknown, unknown>
  readonly parent: GraphQLObjectType
  readonly isNullable: boolean
  readonly hasArguments: boolean
  readonly resolve: GraphQLFieldResolver<unknown, unknown>
  /** Resolves the field of a record that was read with all of its selection, unless the resolver needs `info`. */
  readonly resolvePreloaded: PreloadedResolver | undefined
  /**
   * Identifies the field in cache keys: its response key, name and selection. Undefined unless the result depends only on the
   * record and its reader.
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

/** Throws, or rejects, where the value is null and its type does not allow that. */
export type CompleteValue = (
  execution: Execution,
  field: CompiledField,
  parent: LazyPath,
  path: LazyPath,
  value: unknown,
) => unknown

export interface Execution {
  readonly operation: CompiledOperation
  readonly context: unknown
  readonly variableValues: GraphQLResolveInfo['variableValues']
  readonly rootValue: unknown
  readonly errors: GraphQLError[]
  readonly size: ResponseSize
  /** Undefined if no results are cached. */
  readonly records: RecordCache | undefined
}
