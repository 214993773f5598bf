import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Copies the files of the repository, as somebody who cloned it has them, with the installed packages and generated code. */
export function copyRepository(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' })
  for (const file of git('ls-files').trim().split('\n')) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    copyFileSync(file, join(folder, file))
  }
  // The workspace has packages of its own if their versions differ from those of the root.
  for (const packages of ['node_modules', 'editor/node_modules']) {
    if (existsSync(packages)) symlinkSync(join(process.cwd(), packages), join(folder, packages))
  }
  cpSync('src/generated', join(folder, 'src/generated'), { recursive: true })
  git('-C', folder, 'init', '-q')
  // node_modules is a link here, which the pattern of a folder does not cover.
  git('-C', folder, 'config', 'core.excludesFile', join(folder, '.git/info/exclude'))
  execFileSync('bash', ['-c', 'echo node_modules >> .git/info/exclude'], { cwd: folder })
  git('-C', folder, 'add', '-A')
}
