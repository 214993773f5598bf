import PQueue from 'p-queue'

/** Maps items with limited concurrency. After an error, starts no more work, waits for running work, and throws. */
export async function mapInParallel<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const queue = new PQueue({ concurrency })
  const results = items.map((item, index) =>
    queue.add(() =>
      work(item, index).catch((error: unknown) => {
        queue.clear()
        throw error
      }),
    ),
  )
  return Promise.all(results).finally(() => queue.onIdle())
}
