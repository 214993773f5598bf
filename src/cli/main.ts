// The command line: `npm run -s cli -- --help`. Answers go to stdout, what is wrong to stderr, with exit code 1.
import '../compile-cache.ts'

const { run } = await import('./program.ts')
await run()
