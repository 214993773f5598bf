// What the `subscribe` function of a field returns: the records whose changes the subscription reports.

import type { PostKind } from '../../../kinds.ts'
import type { Context } from '../../context.ts'

type ChangeType = 'created' | 'updated' | 'deleted'

/** A change as one reader sees it: a record that begins to match is created, one that no longer matches is deleted. */
export interface RecordChange {
  readonly type: ChangeType
  readonly id: number
}

/** The value of the field for one change. */
export interface ChangeEvent extends RecordChange {
  /** The changes that were found together. Their records are read by one statement. */
  readonly batch: ChangeBatch
}

/** Changes that were found together, for subscribers who see the same. */
export interface ChangeBatch {
  /** Calls `read` once for each key, and returns the record with the ID; null if it is gone meanwhile. */
  record<Node extends object>(
    key: string,
    id: number,
    read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Node>>,
  ): Promise<Node | null>
}

interface MatchingRecords {
  readonly ids: readonly number[]
  /** By ID of the locked ones of them, a value that changes with what the reader sees of the record. */
  readonly locked: ReadonlyMap<number, string>
}

interface Watched {
  readonly kind: PostKind
  /** The arguments as they were sent. Equal texts select equal records for readers with equal rights. */
  readonly criteria: string
  /** The records that match now, at most those of `ids`. Throws for invalid criteria. */
  readonly matching: (context: Context, ids: readonly number[] | undefined) => Promise<MatchingRecords>
}

/** Implements AsyncIterable only because graphql-js requires it: all subscribers with equal criteria share one source. */
export class WatchedRecords implements AsyncIterable<never> {
  readonly watched: Watched

  constructor(watched: Watched) {
    this.watched = watched
  }

  [Symbol.asyncIterator](): AsyncIterator<never> {
    throw new Error('Watched records are reported by the change hub.')
  }
}
