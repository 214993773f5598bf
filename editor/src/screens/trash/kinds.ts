import type { Client, CombinedError, TypedDocumentNode } from '@urql/core'
import { formatSpan } from '../../dates.ts'
import {
  DeleteEventDocument,
  DeleteOrganizerDocument,
  DeleteVenueDocument,
  type RecordInput,
  RestoreEventDocument,
  RestoreOrganizerDocument,
  RestoreVenueDocument,
  TrashedEventsDocument,
  TrashedOrganizersDocument,
  TrashedVenuesDocument,
  type UserErrorPartsFragment,
} from '../../gql/graphql.ts'

/** A record in the trash. */
export interface Trashed {
  readonly input: RecordInput
  readonly key: string
  readonly name: string
  readonly detail: string
  readonly modifiedAt: string
  readonly canRestore: boolean
  readonly canDelete: boolean
}

interface Page {
  readonly rows: readonly Trashed[]
  readonly next: string | undefined
}

interface Kind {
  readonly document: TypedDocumentNode<unknown, { after?: string }>
  readonly read: (data: unknown) => Page
  readonly restore: Write
  readonly remove: Write
}
interface Written {
  readonly userErrors: readonly UserErrorPartsFragment[] | undefined
  readonly error: CombinedError | undefined
}
type Write = (client: Client, input: RecordInput) => Promise<Written>

interface Connection<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}
interface Row {
  readonly id: string
  readonly modifiedAt: string
  readonly viewerCanUpdate: boolean
  readonly viewerCanDelete: boolean
}

/** A list and how its records become rows. */
function list<Data, Node extends Row>(
  document: TypedDocumentNode<Data, { after?: string | null | undefined }>,
  connection: (data: Data) => Connection<Node>,
  texts: (node: Node) => Pick<Trashed, 'name' | 'detail'> & Partial<Pick<Trashed, 'input'>>,
): Pick<Kind, 'document' | 'read'> {
  return {
    document: document as Kind['document'],
    read(data) {
      const { nodes, pageInfo } = connection(data as Data)
      const rows = nodes.map((node) => ({
        input: { id: node.id },
        key: node.id,
        modifiedAt: node.modifiedAt,
        canRestore: node.viewerCanUpdate,
        canDelete: node.viewerCanDelete,
        ...texts(node),
      }))
      return { rows, next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined }
    },
  }
}

type Payload = { readonly userErrors: readonly UserErrorPartsFragment[] } | null

const write =
  <Data>(document: TypedDocumentNode<Data, { input: RecordInput }>, payload: (data: Data) => Payload): Write =>
  async (client, input) => {
    const { data, error } = await client.mutation(document, { input })
    return { userErrors: data ? payload(data)?.userErrors : undefined, error }
  }

export const kinds = {
  events: {
    ...list(
      TrashedEventsDocument,
      ({ events }) => events,
      ({ id, title, startsLocal, endsLocal, allDay, series }) => ({
        name: title,
        detail: series?.words ?? formatSpan(startsLocal, endsLocal, allDay ?? false),
        // A series is in the trash with all of its dates.
        input: series ? { id, scope: 'ALL' } : { id },
      }),
    ),
    restore: write(RestoreEventDocument, ({ restoreEvent }) => restoreEvent),
    remove: write(DeleteEventDocument, ({ deleteEvent }) => deleteEvent),
  },
  venues: {
    ...list(
      TrashedVenuesDocument,
      ({ venues }) => venues,
      ({ name, city }) => ({ name, detail: city ?? '' }),
    ),
    restore: write(RestoreVenueDocument, ({ written }) => written),
    remove: write(DeleteVenueDocument, ({ deleteVenue }) => deleteVenue),
  },
  organizers: {
    ...list(
      TrashedOrganizersDocument,
      ({ organizers }) => organizers,
      ({ name }) => ({ name, detail: '' }),
    ),
    restore: write(RestoreOrganizerDocument, ({ written }) => written),
    remove: write(DeleteOrganizerDocument, ({ deleteOrganizer }) => deleteOrganizer),
  },
} satisfies Record<string, Kind>

export type KindName = keyof typeof kinds
export const kindNames = Object.keys(kinds) as KindName[]
