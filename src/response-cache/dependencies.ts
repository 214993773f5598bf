// What responses depend on, and how fields and arguments of the GraphQL schema say so.
import type { Dependencies, Kind } from './changes.ts'

/**
 * In the `extensions` of a field, an argument or a field of an input: that it makes an answer depend on more than the
 * types which are selected.
 */
export type DependencyExtensions = {
  /** Kinds of records that it looks at. */
  readonly dependsOn?: readonly Kind[]
  /** It compares starts or ends of events with the present moment. */
  readonly comparesTimes?: boolean
}

export const dependsOn = (...kinds: readonly Kind[]): DependencyExtensions => ({ dependsOn: kinds })

export const comparesTimes: DependencyExtensions = { comparesTimes: true }

export interface OperationDependencies extends Dependencies {
  /** Whether the answer changes when an event starts or ends. */
  readonly comparesTimes: boolean
}
