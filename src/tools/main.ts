// The command line: `npm run -s cli -- --help`. Prints results to stdout, errors to stderr with exit code 1.
import '../basics/compile-cache.js'

const { runProgram } = await import('./program.ts')
await runProgram()
