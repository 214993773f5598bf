// The slow hash of passwords. At most two hashes run at a time, because libuv's thread pool has four threads and serves file
// access, too.
import { type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)
const keyLength = 32
const maxConcurrent = 2

let running = 0
const waiting: (() => void)[] = []

export async function slowHash(password: string, salt: Uint8Array, cost: ScryptOptions): Promise<string> {
  if (running === maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return (await derive(password.normalize('NFC'), salt, keyLength, cost)).toString('base64url')
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
