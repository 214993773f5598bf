// What the `subscribe` function of a field returns: the records whose changes the subscription reports.
import type { PostKind } from '../../../kinds.ts'
import type { Context } from '../../context.ts'

/** A change as a subscriber sees it: a record that begins to match is created, a record that no longer matches is deleted. */
export interface RecordChange {
  readonly type: 'created' | 'updated' | 'deleted'
  readonly id: number
}

/** The value that the resolver of the subscription field gets for one change. */
export interface ChangeEvent extends RecordChange {
  /** Changes that were found together, for subscribers who see the same records: one statement reads these records. */
  readonly batch: {
    /** IDs of the changed records, without deleted records. */
    readonly ids: readonly number[]
    /** For each field that reads the records, by the key of the field: the records by ID. */
    readonly reads: Map<string, Promise<ReadonlyMap<number, object>>>
  }
}

interface Watched {
  readonly kind: PostKind
  /** The arguments as text. Equal texts select equal records for users with equal rights. */
  readonly criteria: string
  /**
   * Returns which of the records in `ids` match now; for locked records, by ID, also a value that changes whenever the fields that
   * the user sees change. Throws an error if the criteria are invalid.
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
    throw new Error('WatchedRecords cannot be iterated: the subscriber group sends the changes.')
  }
}
