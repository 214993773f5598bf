import PQueue from 'p-queue'

/** Returns the results in the order of the items. After an error, waits for the running work only, and throws. */
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
