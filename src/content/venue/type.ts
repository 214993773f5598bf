import { builder } from '../../graphql/builder.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { databaseIdOfPost, postFields, unlessLocked, whileLocked, withheldFields } from '../fields.ts'
import { nodeWhere } from '../identify.ts'
import { Image } from '../image/type.ts'
import { checkPoint, distance, GeoPoint } from '../near.ts'
import { isLocked, type Lockable, lockColumns } from '../password.ts'
import { User } from '../user/type.ts'
import { visibleVenues } from './visibility.ts'

const detailsWithheld = withheldFields([
  ...(['address', 'city', 'country', 'province', 'state', 'stateProvince', 'zip', 'phone', 'website'] as const),
])

type DetailedVenue = Parameters<typeof detailsWithheld.resolve>[0] & {
  readonly latitude: number | null
  readonly longitude: number | null
}

export const Venue = builder.prismaNode('Venue', {
  description: 'A place where events are held.',
  id: { field: 'id', description: 'Opaque ID, for `node`.' },
  nullable: true,
  select: { id: true },
  findUnique: (id, context) => nodeWhere(id, visibleVenues(context)),
  fields: (t) => ({
    databaseId: t.exposeInt('id', databaseIdOfPost),
    language: t.string(postFields.language),
    translations: t.field(postFields.translations('venue')),
    name: t.string({ ...postFields.name, description: 'Plain text, never empty.' }),
    description: t.string(postFields.description),
    descriptionHtml: t.string(postFields.descriptionHtml),
    excerpt: t.string(postFields.excerpt),
    excerptHtml: t.string(postFields.excerptHtml),
    slug: t.string(postFields.slug),
    url: t.field(postFields.url('venue')),
    status: t.field(postFields.status),
    locked: t.boolean(postFields.locked),
    withheldFields: t.stringList({
      ...detailsWithheld,
      select: (args, context) => ({ ...detailsWithheld.select(args, context), latitude: true, longitude: true }),
      resolve: fromRecord((venue: DetailedVenue, context) => {
        const isPlaced = isLocked(venue, context) && venue.latitude !== null && venue.longitude !== null
        return [...detailsWithheld.resolve(venue, {}, context), ...(isPlaced ? ['latitude', 'longitude'] : [])]
      }),
    }),
    publishedAt: t.expose('publishedAt', { type: 'DateTime', description: 'When it was, or will be, published.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    author: t.relation('author', { type: User, nullable: true, description: 'Who wrote it, if still here.' }),
    image: t.field({
      type: Image,
      nullable: true,
      description: `Picture. ${whileLocked}`,
      select: (_args, _context, nested) => ({ ...lockColumns, image: nested(true) }),
      resolve: unlessLocked((venue: Lockable & { readonly image: typeof Image.$inferType | null }) => venue.image),
    }),
    address: t.string({
      nullable: true,
      description: `Street and number. ${whileLocked}`,
      select: { ...lockColumns, address: true },
      resolve: unlessLocked((venue) => venue.address),
    }),
    city: t.string({
      nullable: true,
      description: `City. ${whileLocked}`,
      select: { ...lockColumns, city: true },
      resolve: unlessLocked((venue) => venue.city),
    }),
    country: t.string({
      nullable: true,
      description: `Country. ${whileLocked}`,
      select: { ...lockColumns, country: true },
      resolve: unlessLocked((venue) => venue.country),
    }),
    province: t.string({
      nullable: true,
      description: `Province. ${whileLocked}`,
      select: { ...lockColumns, province: true },
      resolve: unlessLocked((venue) => venue.province),
    }),
    state: t.string({
      nullable: true,
      description: `State. ${whileLocked}`,
      select: { ...lockColumns, state: true },
      resolve: unlessLocked((venue) => venue.state),
    }),
    stateProvince: t.string({
      nullable: true,
      description: `State or province, whichever applies. ${whileLocked}`,
      select: { ...lockColumns, stateProvince: true },
      resolve: unlessLocked((venue) => venue.stateProvince),
    }),
    zip: t.string({
      nullable: true,
      description: `Postal code. ${whileLocked}`,
      select: { ...lockColumns, zip: true },
      resolve: unlessLocked((venue) => venue.zip),
    }),
    phone: t.string({
      nullable: true,
      description: `Telephone number. ${whileLocked}`,
      select: { ...lockColumns, phone: true },
      resolve: unlessLocked((venue) => venue.phone),
    }),
    website: t.string({
      nullable: true,
      description: `Website; empty when none is known. ${whileLocked}`,
      select: { ...lockColumns, website: true },
      resolve: unlessLocked((venue) => venue.website),
    }),
    latitude: t.float({
      nullable: true,
      description: `Degrees north, WGS 84. ${whileLocked}`,
      select: { ...lockColumns, latitude: true },
      resolve: unlessLocked((venue) => venue.latitude),
    }),
    longitude: t.float({
      nullable: true,
      description: `Degrees east, WGS 84. ${whileLocked}`,
      select: { ...lockColumns, longitude: true },
      resolve: unlessLocked((venue) => venue.longitude),
    }),
    distance: t.float({
      nullable: true,
      description: `Kilometres from a place, if its coordinates are known. ${whileLocked}`,
      args: { from: t.arg({ type: GeoPoint, required: true, description: 'Where to measure from.' }) },
      select: { ...lockColumns, latitude: true, longitude: true },
      resolve: (venue, { from }, context) => {
        checkPoint('from', from)
        const { latitude, longitude } = venue
        if (latitude === null || longitude === null || isLocked(venue, context)) return null
        return distance(from, { latitude, longitude })
      },
    }),
    showMap: t.boolean({
      nullable: true,
      description: `Show a map. ${whileLocked}`,
      select: { ...lockColumns, showMap: true },
      resolve: unlessLocked((venue) => venue.showMap),
    }),
    showMapLink: t.boolean({
      nullable: true,
      description: `Show a link to a map. ${whileLocked}`,
      select: { ...lockColumns, showMapLink: true },
      resolve: unlessLocked((venue) => venue.showMapLink),
    }),
  }),
})
