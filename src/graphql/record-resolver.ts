// Resolvers whose value depends on the record and on a RecordContext alone: their results can be cached by these.

import type { Withheld } from '../context.ts'
import type { TextBudget } from '../db/text-budget.ts'
import type { Settings } from '../env.ts'
import type { Role } from '../generated/prisma/enums.ts'

/** What such a resolver may read. Every member is part of the cache key, or tracked by it. */
export interface RecordContext {
  readonly settings: Settings
  readonly language: string
  readonly viewer: { readonly id: number; readonly role: Role } | undefined
  readonly forEditing: boolean
  readonly passwordKey: string | undefined
  /** Set where nothing is cached: resolvers note what they withhold. */
  readonly withheld?: Withheld | undefined
  /** Counts the characters of texts, and reads nothing. */
  readonly texts: TextBudget
  /** Whether a point in time is not after that of the operation. */
  readonly hasCome: (time: Date) => boolean
}

/** Key in the extensions of a field whose resolver takes `info`, which other fields of records do without. */
export const takesInfo = 'takesInfo'

export type RecordResolver = (record: never, args: object, context: RecordContext) => unknown

const recordResolvers = new WeakSet<object>()

/** A resolver whose results are cached with the record. It cannot read anything else of the context. */
export function fromRecord<Row, Value>(
  read: (record: Row, context: RecordContext) => Value,
): (record: Row, args: object, context: RecordContext) => Value {
  const resolver = (record: Row, _args: object, context: RecordContext) => read(record, context)
  recordResolvers.add(resolver)
  return resolver
}

export const isRecordResolver = (resolver: unknown): resolver is RecordResolver =>
  typeof resolver === 'function' && recordResolvers.has(resolver)
