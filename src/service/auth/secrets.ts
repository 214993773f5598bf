// Hashes secrets: generated secrets with SHA-256, by which they are found, and passwords that people choose with scrypt.
import {
  createHash,
  createHmac,
  randomBytes,
  randomInt,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import PQueue from 'p-queue'

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
const pepper = randomBytes(32)

/** Prefix of the hashes of chosen passwords, which distinguishes them from SHA-256 hashes. */
export const chosenHashPrefix = 'scrypt$'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Generates a secret of 256 bits. Only letters and digits, so that a double click selects it, and shells need no quotes. */
export const generateSecret = (): string =>
  Array.from({ length: 43 }, () => letters[randomInt(letters.length)]).join('')

/** Hashes a generated secret for storage. Ignores spaces, which may group the characters of the secret. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret.replace(/\s/g, '')).digest('hex')

/** Returns a cache key for a secret: an HMAC with a random key, which is useless outside of this process. */
export const processDigest = (secret: string): string => createHmac('sha256', pepper).update(secret).digest('base64url')

export const isEqualInConstantTime = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Hashes a chosen password for storage, as `scrypt$<salt>$<key>`. */
export async function hashChosenPassword(
  password: string,
  salt = randomBytes(16).toString('base64url'),
): Promise<string> {
  return `${chosenHashPrefix}${salt}$${await slowHash(password, Buffer.from(salt, 'base64url'), cost)}`
}

export async function matchesChosenPassword(password: string, hash: string): Promise<boolean> {
  const salt = hash.slice(chosenHashPrefix.length).split('$')[0] ?? ''
  return isEqualInConstantTime(hash, await hashChosenPassword(password, salt))
}

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt)
const keyLength = 32

/** Runs two hashes at a time: libuv's thread pool has four threads, which file access also needs. */
const queue = new PQueue({ concurrency: 2 })

/** Returns the scrypt hash of a password. */
export async function slowHash(password: string, salt: Uint8Array, cost: ScryptOptions): Promise<string> {
  const key = await queue.add(() => derive(password.normalize('NFC'), salt, keyLength, cost))
  return key.toString('base64url')
}
