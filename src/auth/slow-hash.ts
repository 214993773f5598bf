// The slow hash of passwords. Hashes run in the thread pool of the process, which has four threads and reads files too: two
// of them at most hash at a time.
import { type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)
const length = 32
const most = 2

let underWay = 0
const waiting: (() => void)[] = []

export async function slowHash(password: string, salt: Uint8Array, cost: ScryptOptions): Promise<string> {
  if (underWay === most) await new Promise<void>((resolve) => waiting.push(resolve))
  else underWay += 1
  try {
    return (await derive(password.normalize('NFC'), salt, length, cost)).toString('base64url')
  } finally {
    const next = waiting.shift()
    if (next) next()
    else underWay -= 1
  }
}
