// How secrets are stored. Random ones are found by their SHA-256; those that people choose are hashed slowly.
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { slowHash } from './slow-hash.ts'

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
const pepper = randomBytes(32)

/** Marks the hash of a chosen password, and keeps it from being found by any secret's SHA-256. */
export const chosenHashPrefix = 'scrypt$'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** 256 bits in letters and digits: one word for a shell and for a double click, whatever it begins with. */
export const generateSecret = (): string =>
  Array.from({ length: 43 }, () => letters[randomInt(letters.length)]).join('')

/** What a random secret is stored as and found by; spaces may group what people copy. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret.replace(/\s/g, '')).digest('hex')

/** Tells secrets apart in the memory of this process, and is worth nothing outside of it. */
export const processDigest = (secret: string): string => createHmac('sha256', pepper).update(secret).digest('base64url')

export const isEqualInConstantTime = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What a password that somebody chose is stored as: `scrypt$<salt>$<key>`. */
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
