// Runs planned operations, and has graphql run the others.
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getArgumentValues,
  getVariableValues,
  locatedError,
} from 'graphql'
import type { Context } from '../context.ts'
import { Whole } from '../db/selection.ts'
import { toBytes } from './json.ts'
import type { Watched } from './made.ts'
import { type OperationPlan, planOf } from './plan.ts'
import type { OwnResolver } from './whole.ts'

export type Path = GraphQLResolveInfo['path']

export interface PlannedField {
  readonly key: string
  readonly node: FieldNode
  readonly nodes: readonly FieldNode[]
  readonly definition: GraphQLField<unknown, unknown>
  readonly parent: GraphQLObjectType
  readonly isNullable: boolean
  readonly hasArguments: boolean
  readonly resolve: GraphQLFieldResolver<unknown, unknown>
  /** Resolves it of a record that was read whole. */
  readonly own: OwnResolver | undefined
  readonly complete: Complete
}

/** Where a value stands: its own place, if somebody asked for that already, and that of what it is in. */
export type Place = Path | undefined

/** What becomes of the value of a field: throws, or rejects, where it can't be null and is. */
export type Complete = (run: Run, field: PlannedField, parent: Place, path: Place, value: unknown) => unknown

/** The one object by which Pothos knows a place again. */
export const placeOf = ({ key, parent: { name } }: PlannedField, parent: Place, path: Place): Path =>
  path ?? { prev: parent, key, typename: name }

export interface Run {
  readonly plan: OperationPlan
  readonly context: Context
  readonly variableValues: GraphQLResolveInfo['variableValues']
  readonly rootValue: unknown
  readonly errors: GraphQLError[]
  /** The run by which records are completed whose text may come again. */
  watched?: Watched
  /** Whether there were any. */
  hasRecords?: boolean
}

/** What Yoga writes the result by: a body of an answer, whatever that is made of. */
interface Result extends ExecutionResult {
  readonly stringify?: ((result: ExecutionResult) => Buffer) | undefined
}

/** As `execute` of graphql. */
export async function run(args: ExecutionArgs): Promise<Result> {
  const plan = planOf(args.schema, args.document, args.operationName)
  if (!plan) return execute(args)
  const { variableDefinitions = [] } = plan.operation
  const { variableValues } = getVariableValues(args.schema, variableDefinitions, args.variableValues ?? {})
  // It says what is wrong with them.
  if (!variableValues) return execute(args)
  const errors: GraphQLError[] = []
  const { contextValue, rootValue } = args
  const running: Run = { plan, context: contextValue as Context, variableValues, rootValue, errors }
  try {
    const data = (await runFields(running, plan.fields, rootValue, undefined)) as Record<string, unknown>
    const stringify = running.hasRecords ? resultBytes : undefined
    return errors.length > 0 ? { errors, data, stringify } : { data, stringify }
  } catch (error) {
    return { errors: [...errors, error as GraphQLError], data: null }
  }
}

const resultBytes = ({ errors, data, extensions }: ExecutionResult) => toBytes({ errors, data, extensions })

export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function'

/** The object of these fields, or a promise of it. */
export function runFields(run: Run, fields: readonly PlannedField[], source: unknown, path: Place): object {
  const result: Record<string, unknown> = {}
  let pending: Promise<void>[] | undefined
  try {
    for (const field of fields) {
      const value = runField(run, field, source, path)
      result[field.key] = value
      if (!isPromise(value)) continue
      pending ??= []
      pending.push(assign(result, field.key, value))
    }
  } catch (error) {
    ignore(pending ?? [])
    throw error
  }
  return pending ? Promise.all(pending).then(() => result) : result
}

async function assign(result: Record<string, unknown>, key: string, value: Promise<unknown>): Promise<void> {
  result[key] = await value
}

/** Of what is given up nobody hears any more. */
export function ignore(pending: readonly unknown[]): void {
  for (const promise of pending) if (isPromise(promise)) promise.catch(() => undefined)
}

const none = {}

function runField(run: Run, field: PlannedField, source: unknown, parent: Place): unknown {
  let path: Place
  try {
    const { definition, node, hasArguments, own } = field
    const args = hasArguments ? getArgumentValues(definition, node, run.variableValues) : none
    let value: unknown
    if (own && source instanceof Whole) value = own(source, args, run.context)
    else {
      path = placeOf(field, parent, undefined)
      value = field.resolve(source, args, run.context, infoOf(run, field, path))
    }
    if (isPromise(value)) return completeLater(run, field, parent, path, value)
    const completed = field.complete(run, field, parent, path, value)
    return isPromise(completed) ? completed.catch((error) => failed(run, field, parent, error)) : completed
  } catch (error) {
    return failed(run, field, parent, error)
  }
}

const never = new AbortController().signal
const helpers = { promiseAll: Promise.all.bind(Promise), track: ignore } as ReturnType<
  GraphQLResolveInfo['getAsyncHelpers']
>

function infoOf({ plan, variableValues, rootValue }: Run, field: PlannedField, path: Path): GraphQLResolveInfo {
  const { schema, operation, fragments } = plan
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parent,
    path,
    schema,
    fragments,
    rootValue,
    operation,
    variableValues,
    getAbortSignal: () => never,
    getAsyncHelpers: () => helpers,
  }
}

async function completeLater(run: Run, field: PlannedField, parent: Place, path: Place, value: Promise<unknown>) {
  try {
    return await field.complete(run, field, parent, path, await value)
  } catch (error) {
    return failed(run, field, parent, error)
  }
}

/** Null where that may be; otherwise throws on. */
function failed(run: Run, field: PlannedField, parent: Place, error: unknown): null {
  const located = locate(field, placeOf(field, parent, undefined), error)
  if (!field.isNullable) throw located
  run.errors.push(located)
  return null
}

export function locate({ nodes }: PlannedField, path: Path, error: unknown): GraphQLError {
  const keys: (string | number)[] = []
  for (let place: Place = path; place; place = place.prev) keys.unshift(place.key)
  return locatedError(error, nodes, keys)
}
