import type { LegacyOrganizerFieldsFragment } from '../../generated/graphql/graphql.ts'
import { organizerJsonLd } from '../../json-ld/json-ld.ts'
import { withoutEmpty } from '../../json-ld/without-empty.ts'
import { serializeImage } from '../images.ts'
import { masked, maskedPost, type Presentation, postDates, postIdentity } from '../posts.ts'
import { escapeText, plainText, safeUrl } from '../text.ts'

/** Organizer object (contract c.4). */
export function serializeOrganizer(
  organizer: LegacyOrganizerFieldsFragment,
  { urls, siteTimeZone, single }: Presentation,
) {
  return {
    ...withoutEmpty({
      id: organizer.databaseId,
      ...postIdentity(organizer, urls),
      ...postDates(organizer, siteTimeZone),
      url: organizer.url,
      organizer: escapeText(organizer.name),
      description: organizer.descriptionHtml,
      excerpt: organizer.excerptHtml,
      slug: organizer.slug,
      image: organizer.image && serializeImage(organizer.image),
      phone: organizer.phone && plainText(organizer.phone),
      website: organizer.website && safeUrl(organizer.website),
      email: organizer.email && plainText(organizer.email),
      json_ld: single && !organizer.locked && organizerJsonLd(organizer),
    }),
    ...masked(organizer.withheldFields, shownWhileLocked),
  }
}

/** What a lock leaves of an organizer's fields (contract c.15). */
const shownWhileLocked = { ...maskedPost, phone: '', website: '', email: '' }
