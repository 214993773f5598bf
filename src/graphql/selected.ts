// What an operation selects of records, as Prisma has it: worked out once for all operations that ask alike.
import { queryFromInfo } from '@pothos/plugin-prisma'
import { type FragmentDefinitionNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql'
import type { Context } from '../context.ts'
import type { Wanted } from '../db/records.ts'

export interface Selected {
  /** For statements of our own: everything that the operation selects; undefined when only Prisma can tell. */
  readonly wanted: Wanted | undefined
  /** For Prisma, whose resolvers load what it leaves out. */
  readonly query: () => object
}

/** Where the records are, seen from the field. */
interface Place {
  readonly path?: string[]
  readonly paths?: string[][]
  /** Columns that are read whether or not they are selected. */
  readonly select?: Readonly<Record<string, true>>
}

export function selectedOf(context: Context, info: GraphQLResolveInfo, place: Place): Selected {
  const query = (asking: Context): object => queryFromInfo({ context: asking, info, ...place })
  return { wanted: remembered(context, info, query), query: () => query(context) }
}

type Remembered = Map<string, Wanted>

let selections = new WeakMap<object, WeakMap<object, Remembered>>()
let count = 0

/** How many selections are remembered, each of them for one kind of reader: anybody can make up as many as they like. */
const most = 1000

function remembered(
  context: Context,
  info: GraphQLResolveInfo,
  query: (asking: Context) => object,
): Wanted | undefined {
  const [node, ...others] = info.fieldNodes
  if (node === undefined || others.length > 0 || !isPlain(node, info.fragments)) return undefined
  const { settings, language, viewer, forEditing, passwordKey, withheld } = context
  const build = (): Wanted | undefined => {
    const { select } = query({ ...context, forStatement: true }) as Partial<Wanted>
    // No more of the context: it is kept as long as the selection.
    const asking = { now: context.now, viewer, passwordKey, forEditing }
    return select && { select, asking }
  }
  // What is withheld shows only while a selection is worked out.
  if (withheld) return build()
  const fields = entry(selections, settings, () => new WeakMap<object, Remembered>())
  const readers = entry(fields, node, () => new Map<string, Wanted>())
  // All that a selection may depend on, beside the moment.
  const reader = JSON.stringify([language, viewer?.id, viewer?.role, forEditing, passwordKey])
  const known = readers.get(reader)
  if (known) return known
  const wanted = build()
  if (!wanted) return undefined
  if (count >= most) {
    selections = new WeakMap()
    count = 0
  }
  count += 1
  readers.set(reader, wanted)
  return wanted
}

const plain = new WeakMap<object, boolean>()

interface Selecting {
  readonly selectionSet?: SelectionSetNode | undefined
}

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>

/**
 * Whether the same is selected whatever the variables are, and no field below has arguments: two fields that go by other
 * arguments may want other records of one relation, which one statement can't tell apart.
 */
function isPlain(node: Selecting, fragments: Fragments): boolean {
  const known = plain.get(node)
  if (known !== undefined) return known
  const found = (node.selectionSet?.selections ?? []).every((selection) => {
    if (selection.directives?.length) return false
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments[selection.name.value]
      return fragment !== undefined && isPlain(fragment, fragments)
    }
    return !('arguments' in selection && selection.arguments?.length) && isPlain(selection, fragments)
  })
  plain.set(node, found)
  return found
}

function entry<Value>(map: WeakMap<object, Value>, key: object, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
