// What the `subscribe` function of a field returns: the records whose changes the subscription reports.
import type { PostKind } from '../../../kinds.ts'
import type { Context } from '../../context.ts'

/** A change as a subscriber sees it: a record that begins to match is created, a record that no longer matches is deleted. */
export interface RecordChange {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly id: number
}

/** The value of the field for one change. */
export interface ChangeEvent extends RecordChange {
  /** Changes that were found together, for subscribers who see the same: one statement reads their records. */
  readonly batch: {
    /** Without deleted records. */
    readonly ids: readonly number[]
    /** The records by ID, by the key of the field that reads them. */
    readonly reads: Map<string, Promise<ReadonlyMap<number, object>>>
  }
}

interface Watched {
  readonly kind: PostKind
  /** The arguments as they were sent. Equal texts select equal records for readers with equal rights. */
  readonly criteria: string
  /**
   * The records that match now, at most those of `ids`; of locked ones, by ID, a value that changes with what the reader sees
   * of the record. Throws for invalid criteria.
   */
  readonly matching: (
    context: Context,
    ids: readonly number[] | undefined,
  ) => Promise<{ readonly ids: readonly number[]; readonly locked: ReadonlyMap<number, string> }>
}

/** Implements AsyncIterable only because graphql-js requires it: all subscribers with equal criteria share one source. */
export class WatchedRecords implements AsyncIterable<never> {
  readonly watched: Watched

  constructor(watched: Watched) {
    this.watched = watched
  }

  [Symbol.asyncIterator](): AsyncIterator<never> {
    throw new Error('Watched records are reported by their group.')
  }
}
