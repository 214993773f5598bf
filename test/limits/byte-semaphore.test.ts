// The limit on bytes of long texts that all operations of a process hold together.
import { describe, expect, it } from 'vitest'
import { createByteSemaphore } from '../../src/db/byte-semaphore.ts'
import { TextBudget } from '../../src/db/text-budget.ts'

const forever = 600_000

/** What has happened once all promises that can settle have done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('whoever asks for bytes', () => {
  it('gets them while there is room, then waits until others release theirs, first come first served', async () => {
    const semaphore = createByteSemaphore(10)
    const order: string[] = []
    const acquire = (name: string, bytes: number) => semaphore.acquire(bytes, forever).then(() => order.push(name))
    const all = [acquire('a', 6), acquire('b', 4), acquire('c', 5), acquire('d', 1)]
    await settled()
    expect(order).toEqual(['a', 'b'])
    semaphore.release(4)
    await settled()
    expect(order).toEqual(['a', 'b'])
    semaphore.release(6)
    await Promise.all(all)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gets more than there is room for when nobody else has any', async () => {
    const semaphore = createByteSemaphore(10)
    await semaphore.acquire(50, forever)
    let isNext = false
    const next = semaphore.acquire(1, forever).then(() => {
      isNext = true
    })
    await settled()
    expect(isNext).toBe(false)
    semaphore.release(50)
    await next
  })

  it('is refused after a while, and those behind get their turn', async () => {
    const semaphore = createByteSemaphore(10)
    await semaphore.acquire(6, forever)
    const large = semaphore.acquire(10, 1)
    const small = semaphore.acquire(4, forever)
    await expect(large).rejects.toMatchObject({ code: 'UNAVAILABLE', data: { retryAfter: 5 } })
    await small
  })
})

describe('an operation', () => {
  const most = 20_000_000

  it('waits for others that hold all there is, and is refused when that takes too long', async () => {
    const first = new TextBudget(forever)
    first.start()
    await first.reserve(most)
    const impatient = new TextBudget(1)
    impatient.start()
    await expect(impatient.reserve(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    impatient.end()
    const patient = new TextBudget(forever)
    patient.start()
    const reserved = patient.reserve(most)
    first.end()
    await reserved
    patient.end()
  })

  it('does not wait for more once it has some', async () => {
    const [one, other] = [new TextBudget(forever), new TextBudget(forever)]
    const both = [one, other]
    for (const budget of both) budget.start()
    await Promise.all([one.reserve(most / 2), other.reserve(most / 2)])
    await Promise.all([one.reserve(most / 2), other.reserve(most / 2)])
    for (const budget of both) budget.end()
  })

  it('is refused when it reads more than a response may have', async () => {
    const budget = new TextBudget(forever)
    budget.start()
    await budget.reserve(most)
    await expect(budget.reserve(1)).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' })
    expect(budget.isSpent).toBe(true)
    budget.end()
  })

  it('that failed while it waited keeps nothing', async () => {
    const first = new TextBudget(forever)
    first.start()
    await first.reserve(most)
    const failed = new TextBudget(forever)
    failed.start()
    const late = failed.reserve(most)
    failed.end()
    first.end()
    await late
    const next = new TextBudget(forever)
    next.start()
    await next.reserve(most)
    next.end()
  })
})
