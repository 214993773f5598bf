import type { Viewer } from './auth/permissions.ts'
import type { SignIn } from './auth/sign-in.ts'
import type { Db } from './db/client.ts'
import { TextBudget } from './db/text-budget.ts'
import { createWrites, type Writes } from './db/write-outcome.ts'
import type { Settings } from './env.ts'
import type { Recorder, ResponseCache } from './response-cache/response-cache.ts'

/** Values that were decided when the database was set up. */
export interface Site {
  readonly passwordSalt: Uint8Array
}

/** What an operation withheld from a reader whose password may open it. */
export interface Withheld {
  /** IDs of the locked records that it read. */
  readonly records: Set<number>
  /** IDs of the categories and tags whose events it counted. */
  readonly terms: Set<number>
  /** Whether a filter left out locked records. */
  byFilter: boolean
}

export const nothingWithheld = (): Withheld => ({ records: new Set(), terms: new Set(), byFilter: false })

/** The password of protected records that came with a request. */
interface RequestPassword {
  /** Its key, if this process has hashed the same password lately. */
  cachedKey(): string | undefined
  /**
   * Its key if something protected was withheld and the password is that of any record; undefined otherwise. A wrong password
   * counts once per request. Throws tooManyFailures for an address that sent too many wrong ones for a withheld record.
   */
  check(context: Pick<Context, 'db' | 'site'>, withheld: Withheld): Promise<string | undefined>
}

export interface RequestPasswords {
  /** `address` is the IP address of the client. */
  fromRequest(password: string, address: string): RequestPassword
}

/** A signed-in user, or the address of a visitor. */
export interface Client {
  readonly viewer: Viewer | undefined
  readonly address: string
}

export interface RateLimits {
  /** Counts `times` writes. Throws tooManyRequests above the limit. */
  write(client: Client, times?: number): Promise<void>
  /** Counts a read by its complexity; a request without an operation of its own costs as much as an ordinary list. */
  read(client: Client, cost?: number): Promise<void>
}

/** What an operation knows of its request: built once, never written to, the same for both doors. */
export interface Context {
  readonly db: Db
  readonly settings: Settings
  readonly site: Site
  /** The one language of the operation. */
  readonly language: string
  /** The moment of the operation, for every rule that asks for it. */
  readonly now: Date
  /** Whether it is not before this one. */
  readonly hasCome: (moment: Date) => boolean
  /** Who asks; undefined is a visitor. */
  readonly viewer: Viewer | undefined
  /** Records are read to be changed: locked ones are open to those who may change them. */
  readonly forEditing: boolean
  /** The request is refused for something else: mutations are checked all the same, and write nothing. */
  readonly checksOnly: boolean
  /** The password that came with the request: it is hashed when the operation withholds something that it may open. */
  readonly password: RequestPassword | undefined
  /** Key of that password, once it is known; it opens the records that have it. */
  readonly passwordKey: string | undefined
  /** What is withheld from somebody whose password may open it. */
  readonly withheld?: Withheld | undefined
  /** Takes down what the answer is made of, where it may be kept. */
  readonly recorder: Recorder | undefined
  /** Counts the texts that are answered. */
  readonly texts: TextBudget
  /** What is known of its mutations. */
  readonly writes: Writes
}

/** What the process knows. */
export interface Environment {
  readonly db: Db
  readonly settings: Settings
  /** Known once the database is. */
  readonly site: Site | Promise<Site>
  /** The clock; tests set it. */
  readonly now: () => Date
  readonly signIn: SignIn
  readonly rateLimits: RateLimits
  readonly passwords: RequestPasswords
  /** Answers to visitors. */
  readonly cache: ResponseCache
  /** What the disk lacks for writing, where it is known here. */
  readonly shortage?: (() => string | undefined) | undefined
}

export interface Operation {
  readonly viewer: Viewer | undefined
  readonly language: string
  readonly password?: RequestPassword | undefined
  readonly forEditing?: boolean | undefined
  readonly recorder?: Recorder | undefined
  readonly checksOnly?: boolean | undefined
  /** Those of the request that it belongs to. */
  readonly writes?: Writes | undefined
}

export async function createContext(
  environment: Omit<Environment, 'signIn' | 'rateLimits' | 'passwords' | 'cache'>,
  { viewer, language, password, forEditing = false, recorder, checksOnly = false, writes = createWrites() }: Operation,
): Promise<Context> {
  const { db, settings } = environment
  const site = await environment.site
  if (viewer !== undefined || password !== undefined) recorder?.preventCaching()
  const now = environment.now()
  const hasCome = (moment: Date) => moment <= now
  const reader = { viewer, language, forEditing, password, passwordKey: undefined }
  // Half of the time is left for the answer itself.
  const texts = new TextBudget(settings.requestTimeout / 2)
  return Object.freeze({ db, settings, site, now, hasCome, recorder, checksOnly, texts, writes, ...reader })
}
