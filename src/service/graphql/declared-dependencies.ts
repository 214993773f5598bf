// Dependencies that fields, arguments, input fields and enum values declare in their extensions.
import { type GraphQLField, type GraphQLInputType, getNamedType, isEnumType, isInputObjectType } from 'graphql'
import type { CachedKind } from '../../engine/cache/changes.ts'
import type { DependencyExtensions } from '../../engine/cache/dependencies.ts'

/** Collects what the fields and the input values of an operation declare. */
export class DeclaredDependencies {
  readonly kinds: Set<CachedKind>
  comparesTimes: boolean

  constructor(initial: { readonly kinds?: Iterable<CachedKind>; readonly comparesTimes?: boolean } = {}) {
    this.kinds = new Set(initial.kinds)
    this.comparesTimes = initial.comparesTimes ?? false
  }

  add({ dependsOn = [], comparesTimes = false }: DependencyExtensions): void {
    for (const kind of dependsOn) this.kinds.add(kind)
    this.comparesTimes ||= comparesTimes
  }

  addArguments(field: GraphQLField<unknown, unknown>, values: Readonly<Record<string, unknown>>): void {
    for (const { name, type, extensions } of field.args) this.#addInput(type, values[name], extensions)
  }

  #addInput(type: GraphQLInputType, value: unknown, extensions: DependencyExtensions): void {
    if (value === undefined || value === null) return
    this.add(extensions)
    const named = getNamedType(type)
    if (isEnumType(named)) {
      for (const each of named.getValues()) if (each.value === value) this.add(each.extensions)
      return
    }
    if (!isInputObjectType(named)) return
    if (Array.isArray(value)) {
      for (const item of value) this.#addInput(named, item, {})
      return
    }
    for (const field of Object.values(named.getFields())) {
      this.#addInput(field.type, (value as Record<string, unknown>)[field.name], field.extensions)
    }
  }
}

/** Whether an input value of this type may add dependencies. */
export function mayAddDependencies(
  type: GraphQLInputType,
  extensions: DependencyExtensions,
  seen: readonly string[] = [],
): boolean {
  if (hasDependencies(extensions)) return true
  const named = getNamedType(type)
  if (isEnumType(named)) return named.getValues().some((value) => hasDependencies(value.extensions))
  if (!isInputObjectType(named) || seen.includes(named.name)) return false
  return Object.values(named.getFields()).some((field) =>
    mayAddDependencies(field.type, field.extensions, [...seen, named.name]),
  )
}

const hasDependencies = ({ dependsOn, comparesTimes }: DependencyExtensions) =>
  dependsOn !== undefined || comparesTimes !== undefined
