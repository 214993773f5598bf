// What responses depend on, and how fields and arguments of the GraphQL schema declare it.
import type { CachedKind, Dependencies } from './changes.ts'

/**
 * Goes into the `extensions` of a field, an argument or an input field whose use makes a response depend on more than
 * the selected types.
 */
export type DependencyExtensions = {
  /** Kinds of records that it reads. */
  readonly dependsOn?: readonly CachedKind[]
  /** It compares starts or ends of events with the current time. */
  readonly comparesTimes?: boolean
  /** It reads records that its record links to. */
  readonly readsLinks?: LinkTree
}

/** Fields that link a record to others, with the links of those that are read, too. */
export interface LinkTree {
  readonly [field: string]: LinkTree
}

export const dependsOn = (...kinds: readonly CachedKind[]): DependencyExtensions => ({ dependsOn: kinds })

export const readsLinks = (links: LinkTree): DependencyExtensions => ({ readsLinks: links })

export const comparesTimes: DependencyExtensions = { comparesTimes: true }

export interface OperationDependencies extends Dependencies {
  /** Whether the response changes when an event starts or ends. */
  readonly comparesTimes: boolean
}
