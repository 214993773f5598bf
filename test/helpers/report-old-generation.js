// Loaded into a process that a test starts. On SIGUSR2 it collects garbage by minor collections only, and prints how many
// bytes the old generation has.
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('SIGUSR2', () => {
  // The first collection moves what survives within the new generation, the second one to the old generation.
  collect({ type: 'minor' })
  collect({ type: 'minor' })
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')
  console.log(`Old generation: ${space?.space_used_size} bytes.`)
})
