import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { withDeadline } from '../src/basics/deadline.ts'

function openChannel(): MessageChannel {
  const channel = new MessageChannel()
  onTestFinished(() => channel.port1.close())
  return channel
}

/** Keeps the event loop from running. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('a deadline fails what does not arrive', async () => {
  await expect(withDeadline(new Promise(() => {}), 20)).rejects.toThrow('No response within 20 ms')
})

test('what arrives while the event loop is late is in time', async () => {
  const { port1, port2 } = openChannel()
  const message = withDeadline(once(port1, 'message'), 50)
  port2.postMessage('response')
  block(500)
  expect(await message).toEqual(['response'])
})

test('so is the response to what is sent after that', async () => {
  const { port1, port2 } = openChannel()
  port2.on('message', (text) => port2.postMessage(text))
  const ask = async (text: string) => {
    port1.postMessage(text)
    const [response] = await once(port1, 'message')
    block(200)
    return response
  }
  expect(
    await withDeadline(
      ask('first').then(() => ask('second')),
      100,
    ),
  ).toBe('second')
})
