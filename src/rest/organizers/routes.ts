import {
  LegacyCreateOrganizerDocument,
  LegacyOrganizerDocument,
  LegacyOrganizersDocument,
  LegacyTrashOrganizerDocument,
  LegacyUpdateOrganizerDocument,
} from '../../generated/graphql/graphql.ts'
import { linkedFilter, linkedQuery, namedByLinked } from '../linked.ts'
import { done } from '../outcome.ts'
import { postRoutes } from '../post-routes.ts'
import { organizerBody, organizerInput } from './body.ts'
import { organizersParams } from './params.ts'
import { serializeOrganizer } from './serialize.ts'

export const organizerRoutes = postRoutes('organizer', {
  listParams: organizersParams,
  filter: linkedFilter,
  namedFilter: namedByLinked,
  query: linkedQuery,
  body: organizerBody,
  input: organizerInput,
  list: async (variables, { execute, context }) => {
    const { organizersPage } = await execute(LegacyOrganizersDocument, variables, context)
    return organizersPage
  },
  read: async (identity, { execute, context }) => {
    const { organizer } = await execute(LegacyOrganizerDocument, identity, context)
    return organizer
  },
  create: async (input, { execute, context }) => {
    const { createOrganizer } = await execute(LegacyCreateOrganizerDocument, { input }, context)
    return done(createOrganizer).organizer
  },
  update: async (input, { execute, context }) => {
    const { updateOrganizer } = await execute(LegacyUpdateOrganizerDocument, { input }, context)
    return done(updateOrganizer).organizer
  },
  trash: async (input, { execute, context }) => {
    const { trashOrganizer } = await execute(LegacyTrashOrganizerDocument, { input }, context)
    return done(trashOrganizer).organizer
  },
  serialize: serializeOrganizer,
})
