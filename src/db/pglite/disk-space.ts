import { statfsSync } from 'node:fs'

/** Bytes that the next file of the write-ahead log takes, without which PostgreSQL stops, and some for what it describes. */
const minFreeBytes = 24 * 1024 ** 2

/** What a disk lacks for writing to the embedded database in `folder`; undefined if it has room enough. */
export function shortageOf(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= minFreeBytes) return undefined
  const [has, needs] = [free, minFreeBytes].map((bytes) => Math.floor(bytes / 1024 ** 2))
  return `the disk is full: ${has} MB are free, and the embedded database needs ${needs} MB`
}
