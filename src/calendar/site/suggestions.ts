// The query `searchSuggestions`: titles and names that complete what a user types into a search box.
import type { GraphQLResolveInfo } from 'graphql'
import { badInputError } from '../../basics/errors.ts'
import { objectNumber } from '../../basics/memoize.ts'
import { withArticle } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { requirePageSize } from '../../service/graphql/pagination.ts'
import { kindEnumValues } from '../rules/enums.ts'
import { globalId } from '../rules/identify.ts'
import { checkSearchText } from '../search/words.ts'
import { findSuggestions, type Suggestion } from './find-suggestions.ts'
import { findNodesByGlobalId } from './nodes.ts'

const [defaultSuggestions, maxSuggestions] = [10, 20]
const maxPrefixLength = 100

const SearchSuggestionKind = builder.enumType('SearchSuggestionKind', {
  description: 'Kind of the record that a search suggestion names.',
  values: kindEnumValues((kind) => `The ${kind === 'event' ? 'title' : 'name'} of ${withArticle(kind)}.`),
})

type Node = Awaited<ReturnType<typeof findNodesByGlobalId>>[number]

interface ListedSuggestion extends Suggestion {
  node(context: Context, info: GraphQLResolveInfo): Promise<Node>
}

/** Adds resolvers of the field `node`: the first call for a selection loads the records of all suggestions. */
function withNodes(suggestions: readonly Suggestion[]): ListedSuggestion[] {
  const ids = suggestions.map(({ kind, id }) => globalId(kind, id))
  const loaded = new Map<string, Promise<Node[]>>()
  const load = (context: Context, info: GraphQLResolveInfo) => {
    const key = info.fieldNodes.map(objectNumber).join()
    const nodes = loaded.get(key) ?? findNodesByGlobalId(context, info, ids)
    loaded.set(key, nodes)
    return nodes
  }
  return suggestions.map((suggestion, index) => ({
    ...suggestion,
    node: async (context, info) => {
      const node = (await load(context, info))[index]
      if (node === undefined || node instanceof Error) throw node
      return node
    },
  }))
}

const SearchSuggestion = builder.objectRef<ListedSuggestion>('SearchSuggestion').implement({
  description: 'A title or name that completes the beginning of a search.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'The title or name in the language of the operation.' }),
    kind: t.expose('kind', { type: SearchSuggestionKind, description: 'Kind of the record.' }),
    node: t.field({
      type: builder.nodeInterfaceRef(),
      description: 'The record.',
      resolve: (suggestion, _args, context, info) => suggestion.node(context, info),
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
      return withNodes(await findSuggestions(prefix, take, context))
    },
  }),
)
