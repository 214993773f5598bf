// Executes the fields of a compiled operation and completes their values as the GraphQL specification requires.
import {
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLTypeResolver,
  getArgumentValues,
  isObjectType,
  locatedError,
} from 'graphql'
import { isResponseTooLarge } from '../../basics/errors.ts'
import { PreloadedRecord, rawJson } from '../postgres/preloaded-record.ts'
import type { CompiledField, CompiledSelection, CompleteValue, Execution, LazyPath, Path } from './types.ts'

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function'

/** Returns the result object of these fields, or a promise of it. */
export function executeFields(
  execution: Execution,
  { fields, newResult }: CompiledSelection,
  source: unknown,
  path: LazyPath,
): object {
  const result = newResult()
  let pending: Promise<void>[] | undefined
  try {
    for (const field of fields) {
      const value = executeField(execution, field, source, path)
      result[field.key] = value
      if (!isPromise(value)) continue
      pending ??= []
      pending.push(assign(result, field.key, value))
    }
  } catch (error) {
    ignoreRejections(pending ?? [])
    throw error
  }
  return pending ? Promise.all(pending).then(() => result) : result
}

/** Executes one field after another, as the specification requires for mutations. */
export async function executeFieldsSerially(
  execution: Execution,
  { fields, newResult }: CompiledSelection,
  source: unknown,
): Promise<object> {
  const result = newResult()
  for (const field of fields) result[field.key] = await executeField(execution, field, source, undefined)
  return result
}

async function assign(result: Record<string, unknown>, key: string, value: Promise<unknown>): Promise<void> {
  result[key] = await value
}

/** Ignores rejections of promises that are not awaited any more, so that Node does not report them as unhandled. */
function ignoreRejections(values: readonly unknown[]): void {
  for (const value of values) if (isPromise(value)) value.catch(() => undefined)
}

/** Returns the response path of a field as graphql-js builds it: one object per field, which Pothos uses as a key. */
const pathOf = ({ key, parent: { name } }: CompiledField, parent: LazyPath, path: LazyPath): Path =>
  path ?? { prev: parent, key, typename: name }

const noArguments = {}

function executeField(execution: Execution, field: CompiledField, source: unknown, parent: LazyPath): unknown {
  const { definition, node, hasArguments, resolvePreloaded } = field
  const resolveAndComplete = () => {
    const args = hasArguments ? getArgumentValues(definition, node, execution.variableValues) : noArguments
    if (resolvePreloaded && source instanceof PreloadedRecord) {
      return completed(undefined, resolvePreloaded(source, args, execution.context))
    }
    const path = pathOf(field, parent, undefined)
    return completed(path, field.resolve(source, args, execution.context, infoOf(execution, field, path)))
  }
  const completed = (path: LazyPath, value: unknown) =>
    isPromise(value)
      ? value.then((later) => field.complete(execution, field, parent, path, later))
      : field.complete(execution, field, parent, path, value)
  return recover(resolveAndComplete, (error) => nullOrThrow(execution, field, parent, error))
}

/** Returns the result of `run`. If `run` throws or rejects, returns the result of `handle` for the error. */
function recover(run: () => unknown, handle: (error: unknown) => null): unknown {
  try {
    const result = run()
    return isPromise(result) ? result.catch(handle) : result
  } catch (error) {
    return handle(error)
  }
}

const neverAborted = new AbortController().signal
const asyncHelpers = { promiseAll: Promise.all.bind(Promise), track: ignoreRejections } as ReturnType<
  GraphQLResolveInfo['getAsyncHelpers']
>

function infoOf(
  { operation, variableValues, rootValue }: Execution,
  field: CompiledField,
  path: Path,
): GraphQLResolveInfo {
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parent,
    path,
    schema: operation.schema,
    fragments: operation.fragments,
    rootValue,
    operation: operation.operation,
    variableValues,
    getAbortSignal: () => neverAborted,
    getAsyncHelpers: () => asyncHelpers,
  }
}

/**
 * Adds the error to the response and returns null if the type of the field is nullable; otherwise throws the error. The error for
 * a response that is too large is always thrown, except in a mutation field, because other mutations still run.
 */
function nullOrThrow(execution: Execution, field: CompiledField, parent: LazyPath, error: unknown): null {
  const located = locate(field, pathOf(field, parent, undefined), error)
  if (!field.isNullable || (parent && isResponseTooLarge(located.originalError))) throw located
  execution.errors.push(located)
  return null
}

function locate({ nodes }: CompiledField, path: Path, error: unknown): GraphQLError {
  const keys: (string | number)[] = []
  for (let place: LazyPath = path; place; place = place.prev) keys.unshift(place.key)
  return locatedError(error, nodes, keys)
}

export function nonNullCompleter(complete: CompleteValue): CompleteValue {
  return (execution, field, parent, path, value) => {
    const completed = complete(execution, field, parent, path, value)
    if (isPromise(completed)) return completed.then((later) => rejectNull(field, later))
    return rejectNull(field, completed)
  }
}

function rejectNull({ parent, definition }: CompiledField, value: unknown): unknown {
  if (value !== null) return value
  throw new Error(`Cannot return null for non-nullable field ${parent.name}.${definition.name}.`)
}

/** Returns a function that completes a value: null stays null, errors are thrown, and `complete` gets all other values. */
const completing =
  (complete: CompleteValue): CompleteValue =>
  (execution, field, parent, path, value) => {
    if (value === null || value === undefined) return null
    if (value instanceof Error) throw value
    return complete(execution, field, parent, path, value)
  }

export const leafCompleter = (type: GraphQLLeafType): CompleteValue =>
  completing(({ size }, _field, _parent, _path, value) => {
    const coerced = type.coerceOutputValue(value)
    if (coerced === null || coerced === undefined) {
      throw new Error(`Expected \`${type.name}.coerceOutputValue(${String(value)})\` to return non-nullable value.`)
    }
    size.addValue(coerced)
    return coerced
  })

export function objectCompleter(selection: CompiledSelection): CompleteValue {
  const { number } = selection
  return completing((execution, field, parent, path, value) => {
    const own = pathOf(field, parent, path)
    const { records, errors } = execution
    const isCached = number !== undefined && value instanceof PreloadedRecord && rawJson(value) !== undefined
    if (!isCached || !records) return executeFields(execution, selection, value, own)
    return records.getOrResolve(number, value, (context) => {
      const previousErrors = errors.length
      const data = executeFields({ ...execution, context }, selection, value, own)
      return { data, isComplete: !isPromise(data) && errors.length === previousErrors }
    })
  })
}

/** Completes a value of an interface or a union. `completeAs` returns the completing function for an object type. */
export const abstractCompleter = (
  type: GraphQLAbstractType,
  resolveType: GraphQLTypeResolver<unknown, unknown>,
  completeAs: (type: GraphQLObjectType) => CompleteValue,
): CompleteValue =>
  completing((execution, field, parent, path, value) => {
    const own = pathOf(field, parent, path)
    const name = resolveType(value, execution.context, infoOf(execution, field, own), type)
    const completeNamed = (typeName: unknown) =>
      completeAs(objectTypeOf(execution, field, type, typeName))(execution, field, parent, own, value)
    return isPromise(name) ? name.then(completeNamed) : completeNamed(name)
  })

function objectTypeOf(
  { operation: { schema } }: Execution,
  { parent, definition, nodes }: CompiledField,
  type: GraphQLAbstractType,
  name: unknown,
): GraphQLObjectType {
  const fail = (message: string): never => {
    throw new GraphQLError(message, { nodes })
  }
  if (typeof name !== 'string') {
    return fail(
      `Abstract type "${type.name}" must resolve to an Object type at runtime for field "${parent.name}.${definition.name}". Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
    )
  }
  const found = schema.getType(name)
  if (!found)
    return fail(`Abstract type "${type.name}" was resolved to a type "${name}" that does not exist inside the schema.`)
  if (!isObjectType(found)) return fail(`Abstract type "${type.name}" was resolved to a non-object type "${name}".`)
  if (schema.isSubType(type, found)) return found
  return fail(`Runtime Object type "${name}" is not a possible type for "${type.name}".`)
}

export const listCompleter = (complete: CompleteValue, isNullable: boolean): CompleteValue =>
  completing((execution, field, parent, path, values) => {
    if (!isIterable(values)) {
      const name = `${field.parent.name}.${field.definition.name}`
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`)
    }
    const own = pathOf(field, parent, path)
    const items: unknown[] = []
    let isPending = false
    const completeItem = (item: unknown) => {
      const itemPath: Path = { prev: own, key: items.length, typename: undefined }
      const completeValue = (resolved: unknown) => complete(execution, field, own, itemPath, resolved)
      return recover(
        () => (isPromise(item) ? item.then(completeValue) : completeValue(item)),
        (error) => {
          const located = locate(field, itemPath, error)
          if (!isNullable || isResponseTooLarge(located.originalError)) throw located
          execution.errors.push(located)
          return null
        },
      )
    }
    try {
      for (const item of values) {
        const completed = completeItem(item)
        isPending ||= isPromise(completed)
        items.push(completed)
      }
    } catch (error) {
      ignoreRejections(items)
      throw error
    }
    return isPending ? Promise.all(items) : items
  })

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
