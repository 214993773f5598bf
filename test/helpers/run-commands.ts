// Runs several commands of the command line in one process, one after another. Started by `runCommands` of process.ts.
import '../../src/engine/processes/preload.js'
import { type Command, CommanderError } from 'commander'

const { printError } = await import('../../src/tools/print.ts')
const { program } = await import('../../src/tools/program.ts')

/** commander would end the process after arguments that are not valid. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) throwInsteadOfExit(child)
}
throwInsteadOfExit(program)

/** What the current command printed. */
const printed = { stdout: '', stderr: '' }
const writeResults = process.stdout.write.bind(process.stdout)
for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (text: string | Uint8Array) => {
    printed[name] += text.toString()
    return true
  }
}

async function run(args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    printError(error instanceof Error ? error.message.trim() : String(error))
    return 1
  }
}

const results: { code: number; out: string; err: string }[] = []
for (const args of JSON.parse(process.argv[2] ?? '[]') as string[][]) {
  Object.assign(printed, { stdout: '', stderr: '' })
  process.exitCode = 0
  const code = await run(args)
  results.push({ code, out: printed.stdout, err: printed.stderr })
}
process.exitCode = 0
writeResults(JSON.stringify(results))
