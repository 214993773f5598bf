import { type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import PQueue from 'p-queue'

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)
const keyLength = 32

/** libuv's thread pool has four threads and serves file access, too. */
const queue = new PQueue({ concurrency: 2 })

/** The slow hash of a password. */
export async function slowHash(password: string, salt: Uint8Array, cost: ScryptOptions): Promise<string> {
  const key = await queue.add(() => derive(password.normalize('NFC'), salt, keyLength, cost))
  return key.toString('base64url')
}
