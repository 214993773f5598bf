// Spreads the work for lists with long texts over several turns of the event loop, so that other requests are served in
// between.
import { setImmediate } from 'node:timers/promises'
import { rawJson } from '../../engine/postgres/preloaded-record.ts'

/** Characters of a list whose records are all resolved at once. */
const maxImmediateLength = 200_000

let previous: Promise<unknown> = Promise.resolve()

const siblings = new WeakMap<object, readonly object[]>()

/** The list of a record, if it is one whose records resolve one by one: batches of their fields are made of the list. */
export const siblingsOf = (record: object): readonly object[] | undefined => siblings.get(record)

/** Returns short lists unchanged. Records of long lists are promises that resolve one per turn, over all requests. */
export function resolveOneByOne<Item extends object>(
  items: readonly Item[],
  recordOf: (item: Item) => object = (item) => item,
): (Item | Promise<Item>)[] {
  if (items.reduce((sum, item) => sum + lengthOf(recordOf(item)), 0) <= maxImmediateLength) return [...items]
  const records = items.map(recordOf)
  for (const record of records) siblings.set(record, records)
  return items.map((item) => {
    const resolved = previous.then(() => setImmediate(item))
    previous = resolved
    return resolved
  })
}

function lengthOf(node: object): number {
  const json = rawJson(node)
  if (json !== undefined) return json.length
  const { texts = [] } = node as { texts?: readonly { description?: string; excerpt?: string }[] }
  return texts.reduce((sum, { description = '', excerpt = '' }) => sum + description.length + excerpt.length, 0)
}
