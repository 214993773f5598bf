// How a search in a filter compares words, and how its results match.
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { enumValues } from '../rules/enums.ts'

const SearchMode = builder.enumType('SearchMode', {
  description: 'How a search compares words.',
  values: enumValues({
    words:
      'Finds parts of words (one or two letters: only the beginnings of words), and other forms of a word by its stem in the language of the operation.',
    substring: 'Finds parts of words only.',
  }),
})

export const addSearchModeField = (t: InputFields) =>
  t.field({ type: SearchMode, description: 'How `search` compares words, by default WORDS.' })

const SearchMatch = builder.enumType('SearchMatch', {
  description: 'How the results of a search match.',
  values: enumValues({
    exact: 'The results, if there are any, match the search.',
    similar: 'No record matches the search. The results have words that resemble the words of the search.',
  }),
})

/** Finds how a search matched; null without a search. `isAnyFound`: the list has results, so that no statement is needed. */
export type FindSearchMatch = (isAnyFound: boolean) => Promise<'exact' | 'similar' | null>

export const searchMatchFieldOptions = {
  type: SearchMatch,
  nullable: true as const,
  description: 'How the results match `filter.search`; null without a search.',
  resolve: (list: object) => (list as { readonly searchMatch?: () => ReturnType<FindSearchMatch> }).searchMatch?.(),
}
