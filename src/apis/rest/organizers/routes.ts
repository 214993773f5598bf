import {
  LegacyCreateOrganizerDocument,
  LegacyOrganizerDocument,
  LegacyOrganizersDocument,
  LegacyTrashOrganizerDocument,
  LegacyUpdateOrganizerDocument,
} from '../../../generated/graphql/graphql.ts'
import { namedPostRoutes, postList } from '../post-list-params.ts'
import { recordRoutes } from '../record-routes.ts'
import { organizerBody, organizerInput } from './body.ts'
import { serializeOrganizer } from './serialize.ts'

export const organizerRoutes = recordRoutes('organizer', {
  ...namedPostRoutes,
  operations: {
    list: LegacyOrganizersDocument,
    read: LegacyOrganizerDocument,
    create: LegacyCreateOrganizerDocument,
    update: LegacyUpdateOrganizerDocument,
    delete: LegacyTrashOrganizerDocument,
  },
  list: postList('organizers'),
  body: organizerBody,
  nameParam: 'organizer',
  input: (body, { context, settings }) => organizerInput(body, context.now, settings.siteTimeZone),
  serialize: serializeOrganizer,
})
