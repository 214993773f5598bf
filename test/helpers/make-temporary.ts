// Records of one test, in files whose other tests read all records.
import { onTestFinished } from 'vitest'
import type { Db } from '../../src/engine/postgres/client.ts'
import { type EventInput, makeEvent, type Texts } from './make.ts'

/** Makes an event that is deleted when the test has finished. */
export async function makeTemporaryEvent(db: Db, texts: Texts, input: EventInput = {}): Promise<number> {
  const id = await makeEvent(db, texts, input)
  onTestFinished(async () => {
    await db.event.delete({ where: { id } })
  })
  return id
}
