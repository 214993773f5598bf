import { passwordKey } from './content/password.ts'
import type { Site } from './content/site.ts'
import type { Db } from './db/client.ts'
import type { Settings } from './env.ts'

/** What an operation knows of its request: built once, never written to, the same for both doors. */
export interface Context {
  readonly db: Db
  readonly settings: Settings
  /** The one language of the operation. */
  readonly language: string
  /** The moment of the operation, for every rule that asks for it. */
  readonly now: Date
  /** Key of the password that came with the request; it opens the records that have it. */
  readonly passwordKey: string | undefined
}

/** What the process knows. */
export interface Environment {
  readonly db: Db
  readonly settings: Settings
  readonly site: Site
  /** The clock; tests set it. */
  readonly now: () => Date
}

export interface Operation {
  readonly language: string
  readonly password?: string | undefined
}

export async function createContext(environment: Environment, { language, password }: Operation): Promise<Context> {
  const { db, settings, site } = environment
  const key = password === undefined ? undefined : await passwordKey(password, site.passwordSalt)
  return Object.freeze({ db, settings, language, now: environment.now(), passwordKey: key })
}
