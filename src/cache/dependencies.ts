// What the answer to an operation depends on: read off its document, its variables and its result.
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  isInputObjectType,
} from 'graphql'
import type { Dependencies, Kind } from './changes.ts'
import { type Plan, type Reads, readSelection, type Selected } from './selection.ts'

export const reads = (...kinds: readonly Kind[]): Reads => ({ reads: kinds })

export const comparesTimes: Reads = { comparesTimes: true }

export interface Read extends Dependencies {
  /** Whether the answer changes when an event starts or ends. */
  readonly comparesTimes: boolean
}

export interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

/** Reads what the answers to queries depend on. */
export function dependencyReader(schema: GraphQLSchema) {
  const plans = new WeakMap<DocumentNode, Map<string, Plan>>()

  const planOf = ({ document, operationName }: Operation): Plan | undefined => {
    const known = plans.get(document) ?? new Map<string, Plan>()
    plans.set(document, known)
    const name = operationName ?? ''
    const plan = known.get(name) ?? readSelection(schema, document, operationName)
    if (plan) known.set(name, plan)
    return plan
  }

  return (asked: Operation, data: object): Read | undefined => {
    const plan = planOf(asked)
    if (!plan) return undefined
    const kinds = new Set(plan.kinds)
    const records = new Map<Kind, Set<number>>()
    let { comparesTimes } = plan
    const note = ({ reads = [], comparesTimes: compares = false }: Reads) => {
      for (const kind of reads) kinds.add(kind)
      comparesTimes ||= compares
    }
    if (plan.calls.size > 0) {
      const { variableValues } = getVariableValues(schema, plan.operation.variableDefinitions ?? [], asked.variables)
      for (const { field, node } of plan.calls) {
        try {
          const values = getArgumentValues(field, node, variableValues)
          for (const argument of field.args) noteInput(argument.type, values[argument.name], argument.extensions, note)
        } catch {
          // Of a field that was left out.
          return undefined
        }
      }
    }
    for (const field of plan.fields) {
      const value = (data as Record<string, unknown>)[field.key]
      // Whichever record it would be, once there is one.
      if (value === null) kinds.add(field.kind)
      else noteRecords(value, field, kinds, records)
    }
    return { kinds, records, comparesTimes }
  }
}

function noteInput(type: GraphQLInputType, value: unknown, extensions: Reads, note: (reads: Reads) => void): void {
  if (value === undefined || value === null) return
  note(extensions)
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return
  if (Array.isArray(value)) {
    for (const item of value) noteInput(named, item, {}, note)
    return
  }
  for (const field of Object.values(named.getFields())) {
    noteInput(field.type, (value as Record<string, unknown>)[field.name], field.extensions, note)
  }
}

function noteRecords(value: unknown, selected: Selected, kinds: Set<Kind>, records: Map<Kind, Set<number>>): void {
  // Where there is none, one that is hidden may be shown: then all of its kind count as changed.
  const numbers = records.get(selected.kind) ?? new Set<number>()
  records.set(selected.kind, numbers)
  if (Array.isArray(value)) for (const item of value) noteRecords(item, selected, kinds, records)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const record = value as Record<string, unknown>
  const number = record[selected.number]
  // Left out by a directive.
  if (typeof number !== 'number') kinds.add(selected.kind)
  else numbers.add(number)
  for (const field of selected.fields) noteRecords(record[field.key], field, kinds, records)
}
