/** The number of runs of a property: a third of `all`, or another part, or all with PROPERTY_RUNS=all, as in `npm run test:full`. */
export const runs = (all: number, part = 3): number =>
  process.env.PROPERTY_RUNS === 'all' ? all : Math.ceil(all / part)

/** Where the parts of this run begin. */
const start = Math.abs(Number(process.env.PROPERTY_SEED ?? Math.floor(Math.random() * 1e9)))

/**
 * Every nth item of a table, others in each run, or all with PROPERTY_RUNS=all. Parts with n successive numbers have every item.
 */
export const partOf = <Item>(items: readonly Item[], n: number, number = 0): Item[] =>
  items.filter((_, index) => process.env.PROPERTY_RUNS === 'all' || (start + index) % n === number % n)
