/** How many cases a property is tried with: a third of them, and all by PROPERTY_RUNS=all, as in `npm run test:full`. */
export const runs = (all: number): number => (process.env.PROPERTY_RUNS === 'all' ? all : Math.ceil(all / 3))
