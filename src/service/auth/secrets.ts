// Hashes of secrets. Generated secrets are stored as SHA-256 and found by it; passwords that people choose use scrypt.
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

/** Distinguishes the hash of a chosen password from any SHA-256. */
export const chosenHashPrefix = 'scrypt$'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 256 bits as letters and digits, which a double click selects as a whole and which needs no quotes in a shell. */
export const generateSecret = (): string =>
  Array.from({ length: 43 }, () => letters[randomInt(letters.length)]).join('')

/** The stored form of a generated secret. Ignores spaces, which may group its characters. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret.replace(/\s/g, '')).digest('hex')

/** A key for in-memory caches of secrets. It is keyed with a random value, so it is useless outside of this process. */
export const processDigest = (secret: string): string => createHmac('sha256', pepper).update(secret).digest('base64url')

export const isEqualInConstantTime = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The stored form of a chosen password: `scrypt$<salt>$<key>`. */
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

/** libuv's thread pool has four threads and serves file access, too. */
const queue = new PQueue({ concurrency: 2 })

/** The slow hash of a password. */
export async function slowHash(password: string, salt: Uint8Array, cost: ScryptOptions): Promise<string> {
  const key = await queue.add(() => derive(password.normalize('NFC'), salt, keyLength, cost))
  return key.toString('base64url')
}
