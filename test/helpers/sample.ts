// The service as a first start leaves it: the sample events, and an administrator.
import { loadSample } from '../../prisma/seed/load.ts'
import { ensureAdministrator } from '../../src/auth/first-administrator.ts'
import { prepareSite } from '../../src/content/site.ts'
import { type ApiClient, now, openTestApp, type TestApp } from './app.ts'
import { basic, createCredential } from './users.ts'

export interface SampleApp extends TestApp {
  readonly administrator: ApiClient
  /** Header that signs the administrator in. */
  readonly authorization: string
  /** An API token of the same. */
  readonly token: string
}

export async function openSampleApp(env: Readonly<Record<string, string>> = {}): Promise<SampleApp> {
  const app = await openTestApp(env)
  let secret = ''
  const fill = (tx: Parameters<typeof loadSample>[0]) => loadSample(tx, app.settings, now)
  await prepareSite(app.db, app.settings, fill, async (tx) => {
    const news = await ensureAdministrator(tx, app.settings)
    if (news?.kind === 'created') secret = news.secret
  })
  const authorization = basic('admin', secret)
  const { id } = await app.db.user.findUniqueOrThrow({ where: { login: 'admin' } })
  const token = await createCredential(app.db, id, 'api_token')
  return { ...app, administrator: app.as({ authorization }), authorization, token }
}
