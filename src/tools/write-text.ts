// Writes the text of exports to a new file, or to a stream such as stdout.
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'

export type WriteText = (text: string) => Promise<unknown>

/** Runs `work` with a function that writes to a new file; to stdout if the name of the file is `-`. */
export const writeOutput = <Result>(file: string, work: (write: WriteText) => Promise<Result>): Promise<Result> =>
  file === '-' ? writeToStream(process.stdout, work) : writeToFile(file, work)

/** Runs `work` with a function that writes to the stream and waits for a slow reader. */
export async function writeToStream<Result>(
  stream: Writable,
  work: (write: WriteText) => Promise<Result>,
): Promise<Result> {
  // The callback of write() handles errors. Without a listener, Node.js would end the process.
  stream.on('error', () => {})
  const write: WriteText = (text) =>
    new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()))
    })
  try {
    return await work(write)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPIPE') throw cause
    throw new Error('The process that reads stdout closed it before the export was complete.', { cause })
  }
}

/** Throws if `file` or a path in `beside` exists already, or if the folder of `file` does not exist. */
export async function requireNewFile(file: string, beside: readonly string[] = []): Promise<void> {
  for (const path of [file, ...beside]) {
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isDirectory() && path === file) throw new Error(`${file} is a folder. Give the path of a file.`)
    if (stats) throw new Error(`${path} already exists. Remove it, or give another file.`)
  }
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (!folder?.isDirectory())
    throw new Error(`The folder ${dirname(file)} does not exist. Create it, or give another file.`)
}

/** Writes a new file that only its owner may read: it can contain personal data. On error, leaves no file. */
export async function writeToFile<Result>(file: string, work: (write: WriteText) => Promise<Result>): Promise<Result> {
  await requireNewFile(file)
  // An interrupted export may have left this file.
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  const handle = await open(partial, 'wx', 0o600)
  try {
    const result = await work((text) => handle.appendFile(text))
    await handle.sync()
    await rename(partial, file)
    return result
  } finally {
    await handle.close()
    await rm(partial, { force: true })
  }
}
