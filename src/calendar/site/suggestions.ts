// The query `searchSuggestions`: titles and names that complete what a user types into a search box.
import { badInputError } from '../../basics/errors.ts'
import { recordKinds, withArticle } from '../../kinds.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { requirePageSize } from '../../service/graphql/pagination.ts'
import { kindEnumValues } from '../rules/enums.ts'
import { globalId } from '../rules/identify.ts'
import { checkSearchText } from '../search/words.ts'
import { findSuggestions, type Suggestion } from './find-suggestions.ts'
import { loadNodeByGlobalId } from './nodes.ts'

const [defaultSuggestions, maxSuggestions] = [10, 20]
const maxPrefixLength = 100

const SearchSuggestionKind = builder.enumType('SearchSuggestionKind', {
  description: 'Kind of the record that a search suggestion names.',
  values: kindEnumValues(recordKinds, (kind) => `The ${kind === 'event' ? 'title' : 'name'} of ${withArticle(kind)}.`),
})

const SearchSuggestion = builder.objectRef<Suggestion>('SearchSuggestion').implement({
  description: 'A title or name that completes the beginning of a search.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The title or name in the language of the operation.' }),
    kind: t.expose('kind', { type: SearchSuggestionKind, description: 'Kind of the record.' }),
    node: t.field({
      type: builder.nodeInterfaceRef(),
      description: 'The record.',
      resolve: async ({ kind, id }, _args, context, info) => {
        const node = await loadNodeByGlobalId(globalId(kind, id), context, info)
        if (node instanceof Error) throw node
        return node
      },
    }),
    url: t.expose('url', { type: 'URL', description: 'HTML page of the record.' }),
  }),
})

builder.queryField('searchSuggestions', (t) =>
  t.field({
    type: [SearchSuggestion],
    description:
      'Titles and names with a word that begins with `prefix`, ignoring case and accents, and then, for three and more letters, titles and names that contain `prefix`: of events that have not ended, venues, organizers, categories, tags, and past events. Leaves out events that are hidden from lists; each text occurs once.',
    extensions: complexity({ weight: 400, slicingArguments: ['first'] }),
    args: {
      prefix: t.arg.string({
        required: true,
        description: `What the user has typed: the beginning of a word, or several words. At most ${maxPrefixLength} characters.`,
      }),
      first: t.arg.int({
        defaultValue: defaultSuggestions,
        description: `Number of suggestions to return. At most ${maxSuggestions}.`,
      }),
    },
    resolve: async (_root, { prefix, first }, context) => {
      const take = requirePageSize('first', first, 0, maxSuggestions) ?? defaultSuggestions
      if (prefix.length > maxPrefixLength)
        throw badInputError({ prefix: `prefix can have at most ${maxPrefixLength} characters.` })
      checkSearchText('prefix', prefix)
      return findSuggestions(prefix, take, context)
    },
  }),
)
