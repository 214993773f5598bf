// Record resolvers: they depend only on their record and a RecordContext, so their results are cached by record and context.
import type { Settings } from '../../basics/env.ts'
import { objectNumber } from '../../basics/memoize.ts'
import { createExecutors } from '../../engine/execution/execution.ts'
import { markRecordResolver, type ResolverReader } from '../../engine/execution/record-resolvers.ts'
import { withResponseLimit } from '../../engine/postgres/response-limit.ts'
import type { Role } from '../../generated/prisma/enums.ts'
import type { Context, Site, Withheld } from '../context.ts'

/** The context of record resolvers. Every member is part of the cache key or does not affect the result. */
export interface RecordContext {
  readonly settings: Settings
  readonly site: Pick<Site, 'uidHost'>
  readonly language: string
  readonly viewer: { readonly id: number; readonly role: Role } | undefined
  readonly forEditing: boolean
  readonly passwordKey: string | undefined
  /** Collects the records and counts that are withheld because of a password. If set, results are not cached. */
  readonly withheld?: Withheld | undefined
  /** Returns whether a time has come: it is at or before the time of the operation. */
  readonly hasCome: (time: Date) => boolean
}

/** Creates a resolver whose results are cached per record. Its type prevents reading anything else from the context. */
export function recordResolver<Row, Value>(
  read: (record: Row, context: RecordContext) => Value,
): (record: Row, args: object, context: RecordContext) => Value {
  const resolver = (record: Row, _args: object, context: RecordContext) => read(record, context)
  markRecordResolver(resolver)
  return resolver
}

/** Returns the RecordContext of record resolvers, with a cache key of the same values. */
function readerOf(context: Context): ResolverReader | undefined {
  const { settings, site, language, viewer, forEditing, passwordKey, withheld, now } = context
  // Resolvers have to run, because they record which records are withheld.
  if (withheld) return undefined
  const reader = viewer && { id: viewer.id, role: viewer.role }
  const values = [objectNumber(settings), site.uidHost, language, reader?.id, reader?.role, forEditing, passwordKey]
  return {
    key: JSON.stringify(values),
    now,
    contextWith: (hasCome): RecordContext =>
      Object.freeze({ settings, site, language, viewer: reader, forEditing, passwordKey, hasCome }),
  }
}

/** Functions that execute operations, by the setting EXECUTION. */
export const executorsByMode = createExecutors(readerOf, (context, run) =>
  withResponseLimit(() => run({ ...context, reads: context.reads.unobserved() })),
)
