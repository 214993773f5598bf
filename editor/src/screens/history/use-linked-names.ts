import { useMemo } from 'react'
import { useQuery } from 'urql'
import { LinkedNamesDocument, type RevisionPageFragment } from '../../gql/graphql.ts'

const linkFields = ['venues', 'organizers', 'categories', 'tags'] as const
type LinkField = (typeof linkFields)[number]
/** Names of linked records by field and databaseId. */
export type LinkedNames = Readonly<Record<LinkField | 'users', ReadonlyMap<number, string>>>

export const isLinkField = (field: string): field is LinkField => linkFields.some((name) => name === field)

const idsIn = (value: unknown): number[] => (Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [])

/** Revisions contain the IDs of linked records; these are their present names. */
export function useLinkedNames(revisions: RevisionPageFragment['nodes']): LinkedNames {
  const variables = useMemo(() => {
    const changes = revisions.flatMap((revision) => revision.changes)
    const ids = (field: LinkField) => {
      const values = changes.filter((change) => change.field === field).flatMap(({ before, after }) => [before, after])
      return [...new Set(values.flatMap(idsIn))].slice(0, 100)
    }
    return { venues: ids('venues'), organizers: ids('organizers'), categories: ids('categories'), tags: ids('tags') }
  }, [revisions])
  const isEmpty = linkFields.every((field) => variables[field].length === 0)
  const [{ data }] = useQuery({ query: LinkedNamesDocument, variables, pause: isEmpty })
  return useMemo(() => {
    const map = (field: LinkField) => new Map(data?.[field].nodes.map(({ databaseId, name }) => [databaseId, name]))
    // The authors whom the page can name are those who changed something.
    const users = new Map(revisions.flatMap(({ user }) => (user ? [[user.databaseId, user.name]] : [])))
    return {
      ...{ venues: map('venues'), organizers: map('organizers'), categories: map('categories'), tags: map('tags') },
      users,
    }
  }, [data, revisions])
}
