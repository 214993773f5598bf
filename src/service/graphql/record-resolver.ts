// Resolvers that depend only on their record and a RecordContext, so that their results can be cached by both.

import type { Settings } from '../../basics/env.ts'
import type { TextBudget } from '../../engine/postgres/text-budget.ts'
import type { Role } from '../../generated/prisma/enums.ts'
import type { Site, Withheld } from '../context.ts'

/** The context of these resolvers. Every member is part of the cache key or does not affect the result. */
export interface RecordContext {
  readonly settings: Settings
  readonly site: Pick<Site, 'uidHost'>
  readonly language: string
  readonly viewer: { readonly id: number; readonly role: Role } | undefined
  readonly forEditing: boolean
  readonly passwordKey: string | undefined
  /** Collects what is withheld. If set, results are not cached. */
  readonly withheld?: Withheld | undefined
  /** Limits the texts in the response. Does not affect a result that fits. */
  readonly texts: Pick<TextBudget, 'spend' | 'check'>
  /** Whether a time is not after that of the operation. */
  readonly hasCome: (time: Date) => boolean
}

/** Extension that marks a field whose resolver uses `info`. */
export const takesInfo = 'takesInfo'

export type RecordResolver = (record: never, args: object, context: RecordContext) => unknown

const recordResolvers = new WeakSet<object>()

/** Creates a resolver whose results are cached per record. Its type prevents reading anything else from the context. */
export function fromRecord<Row, Value>(
  read: (record: Row, context: RecordContext) => Value,
): (record: Row, args: object, context: RecordContext) => Value {
  const resolver = (record: Row, _args: object, context: RecordContext) => read(record, context)
  recordResolvers.add(resolver)
  return resolver
}

export const isRecordResolver = (resolver: unknown): resolver is RecordResolver =>
  typeof resolver === 'function' && recordResolvers.has(resolver)
