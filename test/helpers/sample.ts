// The service as a first start leaves it: the sample, and an administrator.
import { loadRealEvents } from '../../bench/real-events/load.ts'
import { ensureAdministrator } from '../../src/service/auth/first-administrator.ts'
import { loadSample } from '../../src/tools/sample/town.ts'
import { type ApiClient, now, openTestApp, type TestApp } from './app.ts'
import { basic, createCredential } from './users.ts'

export interface SampleApp extends TestApp {
  readonly administrator: ApiClient
  /** Header that signs the administrator in. */
  readonly authorization: string
  /** An API token of the same. */
  readonly token: string
}

type Environment = Readonly<Record<string, string>>

export const openSampleApp = (env: Environment = {}) => openFilledApp(loadSample, env)

/** With 401 real events in place of the sample, or only one of `every` such number. */
export const openRealApp = (env: Environment = {}, every = 1) =>
  openFilledApp((tx, settings, time) => loadRealEvents(tx, settings, time, every), env)

async function openFilledApp(load: typeof loadSample, env: Environment): Promise<SampleApp> {
  const app = await openTestApp(env)
  let secret = ''
  await app.db.$transaction(
    async (tx) => {
      const news = await ensureAdministrator(tx, app.settings)
      if (news?.kind === 'created') secret = news.secret
      await load(tx, app.settings, now)
      await tx.$executeRaw`ANALYZE`
    },
    { timeout: 3_600_000 },
  )
  const authorization = basic('admin', secret)
  const { id } = await app.db.user.findUniqueOrThrow({ where: { login: 'admin' } })
  const token = await createCredential(app.db, id, 'api_token')
  return { ...app, administrator: app.as({ authorization }), authorization, token }
}
