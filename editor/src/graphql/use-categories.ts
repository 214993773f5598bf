import { CategoryOptionsDocument } from '../gql/graphql.ts'
import { useList } from './use-list.ts'

/** All categories, by name. Undefined until the first ones are there. */
export const useCategories = () =>
  useList({
    query: CategoryOptionsDocument,
    variables: {},
    listOf: ({ categories }) => categories,
    readsAllPages: true,
  }).list?.nodes
