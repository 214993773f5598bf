import type { EventRowFragment } from '../../gql/graphql.ts'

/** The selected events by ID. Their rows may be off the screen. */
export type Selection = ReadonlyMap<string, EventRowFragment>
