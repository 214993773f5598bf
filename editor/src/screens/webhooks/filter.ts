import type { RecordKind } from '../../gql/graphql.ts'

export const kinds: readonly RecordKind[] = ['EVENT', 'VENUE', 'ORGANIZER', 'CATEGORY', 'TAG']

type Filter = { readonly kinds?: readonly RecordKind[] } & { readonly [name: string]: unknown }

/** The kinds that a webhook is told of; none for all. The rest of its filter is beyond this editor, which keeps it. */
export function splitFilter(filter: unknown) {
  const { kinds: chosen, ...rest } = filter as Filter
  return { chosen: chosen ?? [], rest, hasRest: Object.keys(rest).length > 0 }
}

export const toFilter = (chosen: readonly RecordKind[], rest: object): object => ({
  ...rest,
  ...(chosen.length > 0 && { kinds: chosen }),
})
