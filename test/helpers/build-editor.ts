// Builds the editor once, before the tests that open it in a browser.
import { execFileSync } from 'node:child_process'

export default function build(): void {
  const env = { ...process.env, NODE_ENV: 'production' }
  execFileSync('npm', ['run', '-s', 'build', '-w', 'editor'], { env, stdio: 'ignore' })
}
