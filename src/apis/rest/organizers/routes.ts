import {
  LegacyCreateOrganizerDocument,
  LegacyOrganizerDocument,
  LegacyOrganizersDocument,
  LegacyTrashOrganizerDocument,
  LegacyUpdateOrganizerDocument,
} from '../../../generated/graphql/graphql.ts'
import { postRoutes } from '../post-routes.ts'
import { organizerBody, organizerInput } from './body.ts'
import { serializeOrganizer } from './serialize.ts'

export const organizerRoutes = postRoutes('organizer', {
  operations: {
    list: LegacyOrganizersDocument,
    read: LegacyOrganizerDocument,
    create: LegacyCreateOrganizerDocument,
    update: LegacyUpdateOrganizerDocument,
    trash: LegacyTrashOrganizerDocument,
  },
  body: organizerBody,
  input: organizerInput,
  serialize: serializeOrganizer,
})
