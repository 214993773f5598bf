import type { LegacyOrganizerFieldsFragment } from '../../generated/graphql/graphql.ts'
import { serializeImage } from '../images.ts'
import { organizerJsonLd } from '../json-ld.ts'
import { isOpen, type Presentation, postDates, postIdentity } from '../posts.ts'
import { escapeText, plainText, safeUrl, withoutEmpty } from '../text.ts'

/** Organizer object (contract c.4). */
export function serializeOrganizer(
  organizer: LegacyOrganizerFieldsFragment,
  { urls, siteTimeZone, single }: Presentation,
) {
  const fields = withoutEmpty({
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
    json_ld: single && isOpen(organizer) && organizerJsonLd(organizer),
  })
  return organizer.locked ? { ...fields, ...withheld } : fields
}

/** What a lock leaves of an organizer's fields (contract c.15): the same whether they have a value or not. */
const withheld = { description: '', excerpt: '', image: false, phone: '', website: '', email: '' }
