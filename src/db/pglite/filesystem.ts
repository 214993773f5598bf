// The files of the embedded database. PGlite opens them for all users to read and write and drops every flush to the
// disk, so both are done here, in the functions that its file system calls.
import { fdatasyncSync, fsyncSync } from 'node:fs'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { makeFolder } from './data-folder.ts'
import type { Durability } from './embedded-database.ts'

interface Node {
  readonly mode: number
}

interface Stream {
  readonly path: string
  readonly node: Node
  /** The descriptor of the real file. */
  readonly nfd: number
}

/** What emscripten calls for files that are stored by Node; an error with `code` must become one with `errno`. */
interface FileOperations {
  tryFSOperation(operation: () => void): void
  readonly node_ops: {
    mknod(parent: Node, name: string, mode: number, device: number): Node
    setattr(node: Node, attributes: Attributes): void
  }
  readonly stream_ops: {
    setattr(stream: Stream, attributes: Attributes): void
    write(stream: Stream, memory: ArrayBufferView, offset: number, length: number, position: number): number
    fsync?(stream: Stream): number
  }
}

interface Attributes {
  readonly mode?: number
}

/** The bits by which users other than the owner may do anything. */
const otherUsersMask = 0o077

/** How PGlite opens the folder `dataDir`; `onLogged` is called with the bytes that are added to the write-ahead log. */
export function embeddedFiles(
  dataDir: string,
  durability: Durability,
  onLogged: (bytes: number) => void,
): PGliteOptions {
  makeFolder(dataDir)
  const files = new NodeFS(dataDir)
  const init = files.init.bind(files)
  files.init = async (lite, options) => {
    const prepared = await init(lite, options)
    prepared.emscriptenOpts.preRun?.push((module) => {
      const operations = module.NODEFS as unknown as FileOperations
      restrictPermissions(operations)
      enableFlush(operations, (mode) => module.FS.isDir(mode))
      watchLog(operations, onLogged)
    })
    return prepared
  }
  if (durability === 'relaxed') return { fs: files }
  const startParams = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F')
  // PGlite answers fdatasync, the default, without passing it on.
  return { fs: files, startParams: [...startParams, '-c', 'wal_sync_method=fsync'] }
}

function restrictPermissions({ node_ops, stream_ops }: FileOperations): void {
  const { mknod, setattr } = node_ops
  const { setattr: setAttributes } = stream_ops
  node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~otherUsersMask, device)
  node_ops.setattr = (node, attributes) => setattr(node, withoutOthers(attributes))
  stream_ops.setattr = (stream, attributes) => setAttributes(stream, withoutOthers(attributes))
}

const withoutOthers = (attributes: Attributes): Attributes =>
  attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~otherUsersMask }

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
