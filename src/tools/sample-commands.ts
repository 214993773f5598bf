import type { Command } from 'commander'
import { settings } from '../basics/env.ts'
import { withOperations } from './operations.ts'
import { countRows, json, type Output, print, printError } from './print.ts'

export function addSampleCommands(program: Command): void {
  const sample = program.command('sample').description('manage the sample that a new database gets with SEED=on')

  sample
    .command('remove')
    .description('remove the sample, in the trash too, except for records that were changed or that other records use')
    .option(...json)
    .action(async (output: Output) => {
      const { removeSample } = await import('./sample/remove.ts')
      const report = await withOperations(settings(), {}, removeSample)
      for (const { kind, id, name, reason } of report.kept) printError(`Kept the ${kind} ${id} (${name}): ${reason}.`)
      print(output, report, [`Removed ${countRows(report.rows)}`])
    })
}
