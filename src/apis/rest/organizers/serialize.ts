import { withoutEmpty } from '../../../basics/without-empty.ts'
import type { LegacyOrganizerFieldsFragment } from '../../../generated/graphql/graphql.ts'
import {
  emptyWithheldFields,
  namedPostFields,
  type Presentation,
  type WithJsonLd,
  withheldPostFields,
} from '../posts.ts'
import { plainText, safeUrl } from '../text.ts'

/** Organizer object (contract c.4). */
export function serializeOrganizer(organizer: LegacyOrganizerFieldsFragment & WithJsonLd, presentation: Presentation) {
  return {
    ...withoutEmpty({
      ...namedPostFields('organizer', organizer, presentation),
      phone: organizer.phone && plainText(organizer.phone),
      website: organizer.website && safeUrl(organizer.website),
      email: organizer.email && plainText(organizer.email),
      json_ld: organizer.jsonLd ?? null,
    }),
    ...emptyWithheldFields(organizer.withheldFields, placeholders),
  }
}

/** What a locked organizer shows instead of its values (contract c.15). */
const placeholders = { ...withheldPostFields, phone: '', website: '', email: '' }
