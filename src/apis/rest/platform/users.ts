// The signed-in user as JSON of the content management system that the legacy contract comes from.
import { DomainError } from '../../../basics/errors.ts'
import { toWallClock } from '../../../basics/time.ts'
import { PlatformViewerDocument, type PlatformViewerQuery, type UserRight } from '../../../generated/graphql/graphql.ts'
import { LegacyError } from '../errors.ts'
import type { Route } from '../route.ts'
import { platformRoute } from './route.ts'

type User = NonNullable<PlatformViewerQuery['viewer']>

/** Capabilities of the legacy platform, such as `publish_posts`, by right of the user. */
const capabilities: Readonly<Record<UserRight, readonly string[]>> = {
  WRITE: ['edit_posts', 'delete_posts'],
  PUBLISH: ['publish_posts', 'edit_published_posts', 'delete_published_posts'],
  EDIT_OTHERS: ['edit_others_posts', 'delete_others_posts', 'read_private_posts'],
  UPLOAD: ['upload_files'],
  MANAGE_CATEGORIES: ['manage_categories'],
  MANAGE_TAGS: ['manage_post_tags'],
  PURGE: [],
  MANAGE_USERS: ['list_users', 'create_users', 'edit_users', 'delete_users'],
}

const forEditors = ({ name, login, email, role, rights, locale, createdAt }: User) => ({
  username: login,
  first_name: '',
  last_name: '',
  email: email ?? '',
  locale: locale?.toLowerCase().replaceAll('_', '-') ?? '',
  nickname: name,
  registered_date: createdAt === null ? '' : `${toWallClock(createdAt, 'UTC')}+00:00`,
  roles: role === null ? [] : [role.toLowerCase()],
  capabilities: Object.fromEntries(
    ['read', ...(rights ?? []).flatMap((right) => capabilities[right])].map((capability) => [capability, true]),
  ),
  extra_capabilities: role === null ? {} : { [role.toLowerCase()]: true },
})

export const userRoutes: readonly Route[] = [
  platformRoute({
    action: 'read',
    path: '/users/me',
    summary: 'Reads the signed-in user.',
    params: {},
    toError: (error) =>
      error instanceof DomainError && error.code === 'UNAUTHENTICATED' ? notSignedIn(error.message) : undefined,
    async handle(params, { execute, context, urls }) {
      const { viewer } = await execute(PlatformViewerDocument, {}, context)
      if (!viewer) throw notSignedIn('You are not signed in.')
      return {
        body: {
          id: viewer.databaseId,
          ...(params.context === 'edit' && forEditors(viewer)),
          name: viewer.name,
          url: '',
          description: '',
          link: '',
          slug: viewer.login,
          avatar_urls: {},
          meta: [],
          _links: { self: [{ href: urls.link('/users/me') }] },
        },
      }
    },
  }),
]

const notSignedIn = (message: string) => new LegacyError(401, 'rest_not_logged_in', message)
