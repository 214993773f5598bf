// Resolvers that depend only on their record and on what a Reader gives them of the context, so that their results can be cached
// by both.

/** The part of a context that results of record resolvers depend on: rights, language and time. */
export interface Reader {
  /** Differs wherever a record resolver may read something else in the context, except the time. */
  readonly key: string
  readonly now: Date
  /** The context of record resolvers, which compare times by `hasCome`. */
  contextWith(hasCome: (time: Date) => boolean): object
}

/** Undefined if the results of this context must not be cached. */
export type ReaderOf<Context> = (context: Context) => Reader | undefined

/** Extension that marks a field whose resolver uses `info`. */
export const takesInfo = 'takesInfo'

const recordResolvers = new WeakSet<object>()

/** Marks a resolver whose results may be cached per record. */
export function markRecordResolver(resolver: object): void {
  recordResolvers.add(resolver)
}

export const isRecordResolver = (resolver: unknown): boolean =>
  typeof resolver === 'function' && recordResolvers.has(resolver)
