// Record resolvers: resolvers that depend only on their record and on a ResolverReader, the cacheable part of the
// context. Their results
// are cached by record and ResolverReader.

/** The part of a context that results of record resolvers depend on: rights, language and time. */
export interface ResolverReader {
  /** Cache key: equal for contexts in which record resolvers return the same results, apart from comparisons of time. */
  readonly key: string
  readonly now: Date
  /** Creates the context of record resolvers, which compare times by calling `hasCome`. */
  contextWith(hasCome: (time: Date) => boolean): object
}

/** Returns the ResolverReader of a context; undefined if the results of this context must not be cached. */
export type GetResolverReader<Context> = (context: Context) => ResolverReader | undefined

/** Extension that marks a field whose resolver uses `info`. */
export const takesInfo = 'takesInfo'

/** Extension that marks a field whose resolver is one of Pothos, and reads only the record. */
export const readsRecord = 'readsRecord'

const recordResolvers = new WeakSet<object>()

/** Marks a resolver whose results may be cached per record. */
export function markRecordResolver(resolver: object): void {
  recordResolvers.add(resolver)
}

export const isRecordResolver = (resolver: unknown): boolean =>
  typeof resolver === 'function' && recordResolvers.has(resolver)
