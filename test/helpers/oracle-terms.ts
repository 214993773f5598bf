// The oracle for lists of categories and tags.
import { type EventFacts, type Language, languages, type Reader, type TermFacts, type World } from './oracle-facts.ts'
import { isTermListed, showsLinks, statusOf } from './oracle-readers.ts'
import {
  backwards,
  by,
  type Compare,
  compareBytes,
  compareText,
  findsTerm,
  fitsTranslations,
  fold,
  inOrder,
  served,
  type TranslationValues,
} from './oracle-text.ts'

export interface TermValues extends TranslationValues {
  readonly search?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly slug?: string
  readonly event?: number
  readonly parent?: number
  readonly hideEmpty?: boolean
}

export type TermField = 'NAME' | 'SLUG' | 'NUMBER' | 'DESCRIPTION' | 'COUNT' | 'PARENT' | 'INCLUDE'

export interface Order<Field> {
  readonly field: Field
  readonly direction?: 'ASC' | 'DESC'
}

/** Looks up a term by slug in any language, then by ID, then by name in any written language; the oldest wins. */
export function termByReference(item: string, terms: readonly TermFacts[]): TermFacts | undefined {
  const having = (fits: (text: { name: string; slug?: string }) => boolean) =>
    terms.filter(({ texts }) => [...texts.values()].some(fits)).sort(by(({ id }) => id))[0]
  return (
    having(({ slug }) => slug === item) ??
    terms.find(({ id }) => String(id) === item) ??
    having(({ name }) => fold(name) === fold(item))
  )
}

export const termsByReference = (items: readonly string[], terms: readonly TermFacts[]) =>
  items.flatMap((item) => termByReference(item, terms) ?? [])

/** Whether a category is the other one or a descendant of it. */
export function isWithin(category: TermFacts, above: TermFacts): boolean {
  return category === above || (category.parent !== undefined && isWithin(category.parent, above))
}

const carried = ({ categories, tags }: EventFacts) => [...categories, ...tags]

/** Counts events that are hidden from lists, but no locked events. */
const counting = ({ events }: World) => events.filter((event) => statusOf(event) === 'publish' && !event.locked)

const count = (term: TermFacts, world: World) => counting(world).filter((event) => carried(event).includes(term)).length

const isUsed = (term: TermFacts, world: World) =>
  counting(world).some((event) => carried(event).some((other) => isWithin(other, term)))

type TermKind = 'categories' | 'tags'

export function listTerms(
  kind: TermKind,
  values: TermValues,
  order: Order<TermField> | undefined,
  world: World,
  reader: Reader,
): number[] {
  const { search, include, exclude, slug, event, parent, hideEmpty } = values
  const all = world[kind]
  const included = include && termsByReference(include, all)
  const excluded = termsByReference(exclude ?? [], all)
  const ofEvent = world.events.find(({ id }) => id === event)
  return all
    .filter(
      (term) =>
        isTermListed(term, reader) &&
        (search === undefined || findsTerm(search, term.texts, reader.language)) &&
        fitsTranslations(term.texts, values) &&
        (!included || included.includes(term)) &&
        !excluded.includes(term) &&
        (slug === undefined || [...term.texts.values()].some((text) => text.slug === slug)) &&
        (event === undefined || (ofEvent && showsLinks(ofEvent, reader) && carried(ofEvent).includes(term))) &&
        (parent === undefined || (term.parent?.id ?? 0) === parent) &&
        (!hideEmpty || isUsed(term, world)),
    )
    .sort(orderOf(order, included ?? [], world, reader.language))
    .map(({ id }) => id)
}

function orderOf(
  { field, direction }: Order<TermField> = { field: 'NAME' },
  included: readonly TermFacts[],
  world: World,
  language: Language,
): Compare<TermFacts> {
  const text =
    (name: 'name' | 'slug' | 'description', compare: Compare<string>): Compare<TermFacts> =>
    (one, other) =>
      compare(served(one.texts, language, name), served(other.texts, language, name))
  const byId = by<TermFacts>(({ id }) => id)
  const byName = inOrder(text('name', compareText), byId)
  const directed = (compare: Compare<TermFacts>) => (direction === 'DESC' ? backwards(compare) : compare)
  const orders: Readonly<Record<TermField, Compare<TermFacts>>> = {
    NAME: directed(byName),
    SLUG: directed(inOrder(text('slug', compareBytes), byId)),
    NUMBER: directed(byId),
    DESCRIPTION: directed(inOrder(text('description', compareText), byId)),
    COUNT: inOrder(directed(by((term) => count(term, world))), byName),
    PARENT: inOrder(directed(by(({ parent }) => parent?.id ?? 0)), byName),
    INCLUDE: directed(by((term) => included.indexOf(term))),
  }
  return orders[field]
}

/** The slugs, ID and names of a term. */
export const namesOf = ({ id, texts }: TermFacts): string[] => [
  String(id),
  ...languages.flatMap((language) => {
    const text = texts.get(language)
    return text ? [text.name, ...(text.slug ? [text.slug] : [])] : []
  }),
]
