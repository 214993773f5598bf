// Determines which records a response depends on, from the operation, its variables and its result.
import { type DocumentNode, type GraphQLField, type GraphQLSchema, getArgumentValues } from 'graphql'
import type { CachedKind } from '../../engine/cache/changes.ts'
import type { OperationDependencies } from '../../engine/cache/dependencies.ts'
import { analyzeOperation, coerceVariables, type Variables } from '../../engine/execution/analyze-operation.ts'
import { DeclaredDependencies } from './declared-dependencies.ts'
import { type LinkedField, planOf } from './dependency-plan.ts'

interface ExecutedOperation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

/** Undefined unless the operation is a query whose dependencies are known. */
export function dependenciesOf(
  schema: GraphQLSchema,
  executed: ExecutedOperation,
  data: object,
): OperationDependencies | undefined {
  const operation = analyzeOperation(schema, executed)
  if (operation?.node.operation !== 'query') return undefined
  const plan = planOf(operation)
  const records = new Map<CachedKind, Set<number>>()
  const declared = new DeclaredDependencies(plan)
  if (plan.calls.size > 0) {
    const { variableValues } = coerceVariables(operation, executed.variableValues)
    for (const { field, node } of plan.calls) {
      try {
        declared.addArguments(field, getArgumentValues(field, node, variableValues))
      } catch {
        // The field was skipped by a directive, and its arguments are invalid.
        return undefined
      }
    }
  }
  for (const field of plan.fields) {
    const value = (data as Record<string, unknown>)[field.key]
    // A record that is missing now may be any record later.
    if (value === null) declared.kinds.add(field.kind)
    else addRecords(value, field, declared.kinds, records)
  }
  return { kinds: declared.kinds, records, comparesTimes: declared.comparesTimes }
}

/** What a count of these records depends on, given the field that returns it and the arguments of the field. */
export function dependenciesOfCount(
  counted: readonly CachedKind[],
  field: GraphQLField<unknown, unknown>,
  args: Readonly<Record<string, unknown>>,
): OperationDependencies {
  const declared = new DeclaredDependencies({ kinds: counted })
  declared.add(field.extensions)
  declared.addArguments(field, args)
  return { kinds: declared.kinds, records: new Map(), comparesTimes: declared.comparesTimes }
}

function addRecords(
  value: unknown,
  selected: LinkedField,
  kinds: Set<CachedKind>,
  records: Map<CachedKind, Set<number>>,
): void {
  // An entry without IDs is needed, too: publishing a hidden record invalidates all records of its kind.
  const ids = records.get(selected.kind) ?? new Set<number>()
  records.set(selected.kind, ids)
  if (Array.isArray(value)) for (const item of value) addRecords(item, selected, kinds, records)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const record = value as Record<string, unknown>
  const id = record[selected.idKey]
  // The ID was skipped by a directive.
  if (typeof id !== 'number') kinds.add(selected.kind)
  else ids.add(id)
  for (const field of selected.fields) addRecords(record[field.key], field, kinds, records)
}
