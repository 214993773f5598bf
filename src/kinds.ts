// A table with a row for each kind of record: event, venue, organizer, category and tag. Every layer may import this module.

interface RecordKindRow {
  /** Name of the Prisma model and of the GraphQL type. The database table has the name of the kind. */
  readonly type: string
  /** Name of the GraphQL lists and of the REST resource. */
  readonly plural: string
  /** Posts have an author, a status, a password, an image and an excerpt; terms have none of these. */
  readonly family: 'post' | 'term'
  /** Prefix of the tables with texts, slugs and links. Events share those of a content with the other dates of their series. */
  readonly owner: string
  /** Columns that full-text search covers in addition to the texts in each language. */
  readonly searchedColumns: readonly string[]
}

export const kinds = {
  event: {
    type: 'Event',
    plural: 'events',
    family: 'post',
    owner: 'content',
    searchedColumns: [],
  },
  venue: {
    type: 'Venue',
    plural: 'venues',
    family: 'post',
    owner: 'venue',
    searchedColumns: ['address', 'city', 'province', 'state', 'state_province', 'zip', 'phone'],
  },
  organizer: {
    type: 'Organizer',
    plural: 'organizers',
    family: 'post',
    owner: 'organizer',
    searchedColumns: ['phone', 'email', 'website'],
  },
  category: {
    type: 'Category',
    plural: 'categories',
    family: 'term',
    owner: 'category',
    searchedColumns: [],
  },
  tag: {
    type: 'Tag',
    plural: 'tags',
    family: 'term',
    owner: 'tag',
    searchedColumns: [],
  },
} as const satisfies Readonly<Record<string, RecordKindRow>>

export type RecordKind = keyof typeof kinds
type KindOf<Family> = { [Kind in RecordKind]: (typeof kinds)[Kind]['family'] extends Family ? Kind : never }[RecordKind]
/** The plural of a kind, such as `events`, which names GraphQL lists and REST resources. */
export type Plural = (typeof kinds)[RecordKind]['plural']
/** The kinds of posts: events, venues and organizers, which have a status and a trash. */
export type PostKind = KindOf<'post'>
/** The kinds of terms: categories and tags. */
export type TermKind = KindOf<'term'>

export const recordKinds = Object.keys(kinds) as RecordKind[]
export const isPost = (kind: RecordKind): kind is PostKind => kinds[kind].family === 'post'
export const postKinds = recordKinds.filter(isPost)
export const termKinds = recordKinds.filter((kind) => !isPost(kind))

export const kindByPlural = Object.fromEntries(recordKinds.map((kind) => [kinds[kind].plural, kind])) as Readonly<
  Record<Plural, RecordKind>
>

/** All records of a family share one ID sequence, so that an ID identifies a record of one kind. */
export const idSequences = { post: 'post_id_seq', term: 'term_id_seq' } as const

/** Returns the kind with its article: `an event`, `a venue`, `a user`. */
export const withArticle = (kind: string): string => `${/^(?!user)[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`

/** Returns the kind with its article for the start of a sentence: `An event`. */
export const withCapitalArticle = (kind: string): string => withArticle(kind).replace(/^a/, 'A')
