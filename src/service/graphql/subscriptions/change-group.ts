// Finds the changes that all subscribers with the same criteria, language and rights see.

import { changesMissed, DomainError } from '../../../basics/errors.ts'
import { withoutClient } from '../../../engine/postgres/connection-shares.ts'
import { type Context, renewContext } from '../../context.ts'
import { BitSet } from './bit-set.ts'
import { retryUnreachable } from './retry.ts'
import type { RecordChange, WatchedRecords } from './watched-records.ts'

export interface GroupListener {
  /** Called with changes in the order in which they were committed. The next ones are found when it resolves. */
  report(changes: readonly RecordChange[], context: Context): Promise<void>
  /** Called at most once: the group reports nothing more. */
  end(error: Error): void
}

/** Records whose changes are found by one statement. */
const batchSize = 25

/** Changed records that may wait. With more, this process cannot keep up, and the group ends. */
const maxPending = 10_000

export class ChangeGroup {
  /** Whether `end` was called. */
  hasEnded = false
  readonly #context: Context
  readonly #source: WatchedRecords
  readonly #onEnd: () => void
  /** How often each has joined. */
  readonly #listeners = new Map<GroupListener, number>()
  readonly #pending = new Set<number>()
  #matching: BitSet | undefined
  /** What readers see of locked records that match, by ID. */
  readonly #locked = new Map<number, string>()
  /** The batch that is being reported. */
  #running: Promise<void> | undefined

  /** `onEnd` is called when the group ends. */
  constructor(source: WatchedRecords, context: Context, onEnd: () => void) {
    this.#source = source
    this.#context = context
    this.#onEnd = onEnd
  }

  /** Finds the records that match now. Changes that are added before are forgotten. Throws the errors of the criteria. */
  async open(): Promise<void> {
    this.#pending.clear()
    const { ids, locked } = await this.#source.watched.matching(renewContext(this.#context), undefined)
    this.#matching = new BitSet(ids)
    for (const [id, version] of locked) this.#locked.set(id, version)
    this.run()
  }

  join(listener: GroupListener): void {
    this.#listeners.set(listener, (this.#listeners.get(listener) ?? 0) + 1)
  }

  /** Undoes one `join`. */
  leave(listener: GroupListener): void {
    const left = (this.#listeners.get(listener) ?? 0) - 1
    if (left > 0) this.#listeners.set(listener, left)
    else this.#listeners.delete(listener)
  }

  /** Adds changed records; call `run` to report them. */
  add(ids: Iterable<number>): void {
    for (const id of ids) this.#pending.add(id)
    if (this.#pending.size > maxPending) this.end(changesMissed())
  }

  run(): void {
    if (this.#running || !this.#matching || this.#pending.size === 0 || this.hasEnded) return
    const matching = this.#matching
    this.#running = withoutClient(() => this.#reportAll(matching)).finally(() => {
      this.#running = undefined
      this.run()
    })
  }

  /** Resolves when the changes that were added so far are reported. */
  async settled(): Promise<void> {
    const added = [...this.#pending]
    do {
      this.run()
      await this.#running
    } while (added.some((id) => this.#pending.has(id)))
    await this.#running
  }

  /** Ends all subscriptions of the group. */
  end(error: Error): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.#pending.clear()
    this.#onEnd()
    const listeners = [...this.#listeners.keys()]
    this.#listeners.clear()
    for (const listener of listeners) listener.end(error)
  }

  /** Stores what readers see of a locked record. Returns whether that changed, and not only fields that the lock withholds. */
  #updateLocked(id: number, locked: string | undefined): boolean {
    const hasChanged = locked === undefined || locked !== this.#locked.get(id)
    if (locked === undefined) this.#locked.delete(id)
    else this.#locked.set(id, locked)
    return hasChanged
  }

  async #reportAll(matching: BitSet): Promise<void> {
    const ids = [...this.#pending].slice(0, batchSize)
    for (const id of ids) this.#pending.delete(id)
    try {
      const { context, found } = await retryUnreachable(async () => {
        const renewed = renewContext(this.#context)
        return { context: renewed, found: await this.#source.watched.matching(renewed, ids) }
      })
      const foundIds = new Set(found.ids)
      const changes = ids
        .flatMap((id) => changeOf(id, matching, foundIds.has(id)))
        .filter(({ type, id }) => this.#updateLocked(id, found.locked.get(id)) || type !== 'updated')
      if (changes.length === 0) return
      await Promise.all([...this.#listeners.keys()].map((listener) => listener.report(changes, context)))
    } catch (error) {
      // Only errors of the criteria help the client; any other one means that changes are unknown.
      this.end(error instanceof DomainError && error.code === 'BAD_INPUT' ? error : changesMissed())
    }
  }
}

/** Updates the set of matching records. A change that the reader saw neither before nor now is none. */
function changeOf(id: number, matching: BitSet, matches: boolean): RecordChange[] {
  const matched = matching.has(id)
  if (matches) matching.add(id)
  else matching.delete(id)
  if (!matched && !matches) return []
  if (!matched) return [{ type: 'created', id }]
  return [{ type: matches ? 'updated' : 'deleted', id }]
}
