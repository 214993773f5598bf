import type { Status } from '../generated/prisma/enums.ts'

interface Published {
  readonly status: Status
  readonly publishedAt: Date
}

/** The status that is shown, filtered and counted: a scheduled record is published once its moment has come. */
export function effectiveStatus({ status, publishedAt }: Published, now: Date): Status {
  if (status !== 'publish' && status !== 'future') return status
  return publishedAt <= now ? 'publish' : 'future'
}

/** What everybody may see, as a `where` that an index on (live, …) answers. */
export const published = (now: Date) => ({ live: true, publishedAt: { lte: now } })
