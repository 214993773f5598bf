import type { LegacyOrganizerFieldsFragment } from '../../generated/graphql/graphql.ts'
import { organizerJsonLd } from '../../json-ld/json-ld.ts'
import { withoutEmpty } from '../../json-ld/without-empty.ts'
import { emptyWithheldFields, namedPostFields, type Presentation, withheldPostFields } from '../posts.ts'
import { plainText, safeUrl } from '../text.ts'

/** Organizer object (contract c.4). */
export function serializeOrganizer(organizer: LegacyOrganizerFieldsFragment, presentation: Presentation) {
  return {
    ...withoutEmpty({
      ...namedPostFields('organizer', organizer, presentation),
      phone: organizer.phone && plainText(organizer.phone),
      website: organizer.website && safeUrl(organizer.website),
      email: organizer.email && plainText(organizer.email),
      json_ld: presentation.single && !organizer.locked && organizerJsonLd(organizer),
    }),
    ...emptyWithheldFields(organizer.withheldFields, placeholders),
  }
}

/** What a locked organizer shows instead of its values (contract c.15). */
const placeholders = { ...withheldPostFields, phone: '', website: '', email: '' }
