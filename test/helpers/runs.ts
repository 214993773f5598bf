/** The number of runs of a property: a third of `all`, or all with PROPERTY_RUNS=all, as in `npm run test:full`. */
export const runs = (all: number): number => (process.env.PROPERTY_RUNS === 'all' ? all : Math.ceil(all / 3))
