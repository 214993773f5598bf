// The file system of PGlite, patched to flush files to disk, because PGlite ignores fsync. PGlite makes its files readable and
// writable for all users, but the data folder gives access to its owner only.
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { createPrivateFolder } from './data-folder.ts'
import type { Durability } from './embedded-database.ts'

interface Stream {
  readonly path: string
  readonly node: { readonly mode: number }
  /** The descriptor of the real file. */
  readonly nfd: number
}

/** Emscripten's file operations of NODEFS. `tryFSOperation` converts errors with `code` to errors with `errno`. */
interface FileOperations {
  tryFSOperation(operation: () => void): void
  readonly stream_ops: {
    write(stream: Stream, memory: ArrayBufferView, offset: number, length: number, position: number): number
    fsync?(stream: Stream): number
  }
}

/**
 * Returns PGlite's options for the data folder `dataDir`. Calls `onLogged` with the number of bytes of each write to the
 * write-ahead log.
 */
export function createPGliteOptions(
  dataDir: string,
  durability: Durability,
  onLogged: (bytes: number) => void,
): PGliteOptions {
  createPrivateFolder(dataDir)
  const files = new NodeFS(dataDir)
  const init = files.init.bind(files)
  files.init = async (lite, options) => {
    const prepared = await init(lite, options)
    prepared.emscriptenOpts.preRun?.push((module) => {
      const operations = module.NODEFS as unknown as FileOperations
      enableFlush(operations, (mode) => module.FS.isDir(mode))
      watchLog(operations, onLogged)
    })
    return prepared
  }
  if (durability === 'relaxed') return { fs: files }
  const startParams = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
  // PGlite ignores fdatasync, which is the default of wal_sync_method.
  return { fs: files, startParams: [...startParams, '-c', 'wal_sync_method=fsync'] }
}

function enableFlush(operations: FileOperations, isFolder: (mode: number) => boolean): void {
  operations.stream_ops.fsync = ({ node, nfd }) => {
    operations.tryFSOperation(() => (isFolder(node.mode) ? fsyncSync(nfd) : fdatasyncSync(nfd)))
    return 0
  }
}

function watchLog({ stream_ops }: FileOperations, onLogged: (bytes: number) => void): void {
  const { write } = stream_ops
  stream_ops.write = (stream, memory, offset, length, position) => {
    if (stream.path.includes('/pg_wal/')) onLogged(length)
    return write(stream, memory, offset, length, position)
  }
}
