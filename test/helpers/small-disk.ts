// A real disk that can be filled: a tmpfs in the mount namespace of a process of its own, which takes no rights but those
// of the user.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  /** As processes see it that are started within. */
  readonly folder: string
  /** The same folder as this process sees it. */
  readonly outside: string
  /** A command that runs its arguments where the disk is mounted. */
  readonly within: readonly string[]
  /** Takes all the room that is left. */
  fill(): void
  /** Gives it back. */
  empty(): void
  drop(): Promise<void>
}

/** Undefined where the system lets this user mount nothing. */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const place = mkdtempSync(join(tmpdir(), 'calendar-disk-'))
  const script = 'mount -t tmpfs -o size="$1"m tmpfs "$2" && echo mounted && exec cat'
  const holder = spawn('unshare', ['-rm', 'sh', '-c', script, 'sh', String(megabytes), place], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = Promise.race([once(holder, 'close'), once(holder, 'error')])
  const mounted = once(holder.stdout, 'data').then(() => true)
  const drop = async () => {
    holder.kill()
    await closed
    rmdirSync(place)
  }
  if (!(await Promise.race([mounted, closed.then(() => false)]))) {
    rmdirSync(place)
    return undefined
  }
  const pid = String(holder.pid)
  const within = ['nsenter', '--preserve-credentials', '-U', '-m', '-t', pid, `--wd=${process.cwd()}`]
  const outside = join('/proc', pid, 'root', place)
  const ballast = join(outside, 'ballast')
  const fill = () => {
    for (const size of [1024 ** 2, 4096]) {
      try {
        for (;;) appendFileSync(ballast, Buffer.alloc(size, 1))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  }
  return { folder: place, outside, within, fill, empty: () => rmSync(ballast), drop }
}
