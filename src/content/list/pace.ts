// Records with much text take their time to be answered: one after the other, whoever asks, with a chance for other
// requests in between.
import { setImmediate } from 'node:timers/promises'
import { rawJson } from '../../db/preloaded-record.ts'

/** Characters of a list that is answered in one go. */
const small = 200_000

let last: Promise<unknown> = Promise.resolve()

/** The same records; of a list with much text each resolves when it is its turn. */
export function paced<Item extends object>(
  items: readonly Item[],
  recordOf: (item: Item) => object = (item) => item,
): (Item | Promise<Item>)[] {
  if (items.reduce((sum, item) => sum + lengthOf(recordOf(item)), 0) <= small) return [...items]
  return items.map((item) => {
    const turn = last.then(() => setImmediate(item))
    last = turn
    return turn
  })
}

function lengthOf(node: object): number {
  const json = rawJson(node)
  if (json !== undefined) return json.length
  const { texts = [] } = node as { texts?: readonly { description?: string; excerpt?: string }[] }
  return texts.reduce((sum, { description = '', excerpt = '' }) => sum + description.length + excerpt.length, 0)
}
