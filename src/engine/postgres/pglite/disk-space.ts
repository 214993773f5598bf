import { statfsSync } from 'node:fs'

/** Space for the next 16 MB segment of the write-ahead log, without which PostgreSQL stops, and for some data. */
const minFreeBytes = 24 * 1024 ** 2

/** Why the disk has too little space for the embedded database in `folder`; undefined if it has enough. */
export function shortageOf(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= minFreeBytes) return undefined
  const [has, needs] = [free, minFreeBytes].map((bytes) => Math.floor(bytes / 1024 ** 2))
  return `the disk is full: ${has} MB are free, and the embedded database needs ${needs} MB`
}
