// The command line: `npm run -s cli -- --help`. Prints results to stdout, errors to stderr with exit code 1.
import '../engine/processes/preload.js'

const { runProgram } = await import('./program.ts')
await runProgram()
