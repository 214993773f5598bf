// The limit on bytes of long texts that all operations of a process hold together.
import { beforeEach, describe, expect, it } from 'vitest'
import { type ByteSemaphore, createByteSemaphore } from '../../src/engine/postgres/byte-semaphore.ts'
import { TextBudget } from '../../src/engine/postgres/text-budget.ts'

const forever = 600_000

/** What has happened once all promises that can settle have done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('an acquisition of bytes', () => {
  it('succeeds while enough bytes are free, then waits in order of arrival until others release theirs', async () => {
    const semaphore = createByteSemaphore(10)
    const order: string[] = []
    const operations = { a: {}, b: {}, c: {}, d: {} }
    const acquire = (name: keyof typeof operations, bytes: number) =>
      semaphore.acquire(operations[name], bytes, forever).then(() => order.push(name))
    const all = [acquire('a', 6), acquire('b', 4), acquire('c', 5), acquire('d', 1)]
    await settled()
    expect(order).toEqual(['a', 'b'])
    semaphore.release(operations.b)
    await settled()
    expect(order).toEqual(['a', 'b'])
    semaphore.release(operations.a)
    await Promise.all(all)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  it('may exceed the limit while nobody else holds bytes', async () => {
    const semaphore = createByteSemaphore(10)
    const operation = {}
    await semaphore.acquire(operation, 50, forever)
    let isNext = false
    const next = semaphore.acquire({}, 1, forever).then(() => {
      isNext = true
    })
    await settled()
    expect(isNext).toBe(false)
    semaphore.release(operation)
    await next
  })

  it('fails after the timeout, and those waiting behind it continue', async () => {
    const semaphore = createByteSemaphore(10)
    await semaphore.acquire({}, 6, forever)
    const large = semaphore.acquire({}, 10, 1)
    const small = semaphore.acquire({}, 4, forever)
    await expect(large).rejects.toMatchObject({ code: 'UNAVAILABLE', data: { retryAfter: 5 } })
    await small
  })
})

describe('an operation', () => {
  const most = 20_000_000
  /** Operations of other test files share the semaphore of the process. */
  let semaphore: ByteSemaphore
  beforeEach(() => {
    semaphore = createByteSemaphore(most)
  })

  it('waits while others hold all bytes, and fails after the timeout', async () => {
    const first = new TextBudget(forever, semaphore)
    first.start()
    await first.reserve(most)
    const impatient = new TextBudget(1, semaphore)
    impatient.start()
    await expect(impatient.reserve(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    impatient.end()
    const patient = new TextBudget(forever, semaphore)
    patient.start()
    const reserved = patient.reserve(most)
    first.end()
    await reserved
    patient.end()
  })

  it('that already holds bytes waits for more until older operations have ended, and the oldest never waits', async () => {
    const budgets = Array.from({ length: 10 }, () => new TextBudget(forever, semaphore))
    for (const budget of budgets) budget.start()
    await Promise.all(budgets.map((budget) => budget.reserve(1)))
    const order: number[] = []
    const reserved = budgets.map((budget, index) => budget.reserve(most - 1).then(() => order.push(index)))
    for (const [index, budget] of budgets.entries()) {
      await settled()
      expect(order).toEqual(budgets.slice(0, index + 1).map((_, each) => each))
      budget.end()
    }
    await Promise.all(reserved)
  })

  it('that holds bytes comes before operations that hold none', async () => {
    const [oldest, holder, other] = [
      new TextBudget(forever, semaphore),
      new TextBudget(forever, semaphore),
      new TextBudget(forever, semaphore),
    ]
    for (const budget of [oldest, holder, other]) budget.start()
    await oldest.reserve(most - 1)
    await holder.reserve(1)
    const order: string[] = []
    const all = [
      other.reserve(most).then(() => order.push('other')),
      holder.reserve(most - 1).then(() => order.push('holder')),
    ]
    oldest.end()
    await settled()
    expect(order).toEqual(['holder'])
    holder.end()
    await Promise.all(all)
    expect(order).toEqual(['holder', 'other'])
    other.end()
  })

  it('is refused when it reads more than a response may have', async () => {
    const budget = new TextBudget(forever, semaphore)
    budget.start()
    await budget.reserve(most)
    await expect(budget.reserve(1)).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' })
    expect(budget.isSpent).toBe(true)
    budget.end()
  })

  it('that failed while it waited holds no bytes', async () => {
    const first = new TextBudget(forever, semaphore)
    first.start()
    await first.reserve(most)
    const failed = new TextBudget(forever, semaphore)
    failed.start()
    const late = failed.reserve(most)
    failed.end()
    first.end()
    await late
    const next = new TextBudget(forever, semaphore)
    next.start()
    await next.reserve(most)
    next.end()
  })
})
