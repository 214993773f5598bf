import type { Cache, Recorder } from './cache/answers.ts'
import type { Viewer } from './content/rights.ts'
import type { Site } from './content/site.ts'
import type { Db } from './db/client.ts'
import type { Settings } from './env.ts'
import type { Rates } from './limits/rates.ts'
import { TextBudget } from './limits/text-budget.ts'
import type { GivenPassword, RecordPasswords } from './record-passwords.ts'
import type { SignIn } from './sign-in.ts'
import type { Withheld } from './withheld.ts'
import { createWrites, type Writes } from './write-outcome.ts'

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
  readonly password: GivenPassword | undefined
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
  readonly rates: Rates
  readonly passwords: RecordPasswords
  /** Answers to visitors. */
  readonly cache: Cache
  /** What the disk lacks for writing, where it is known here. */
  readonly shortage?: (() => string | undefined) | undefined
}

export interface Operation {
  readonly viewer: Viewer | undefined
  readonly language: string
  readonly password?: GivenPassword | undefined
  readonly forEditing?: boolean | undefined
  readonly recorder?: Recorder | undefined
  readonly checksOnly?: boolean | undefined
  /** Those of the request that it belongs to. */
  readonly writes?: Writes | undefined
}

export async function createContext(
  environment: Omit<Environment, 'signIn' | 'rates' | 'passwords' | 'cache'>,
  { viewer, language, password, forEditing = false, recorder, checksOnly = false, writes = createWrites() }: Operation,
): Promise<Context> {
  const { db, settings } = environment
  const site = await environment.site
  if (viewer !== undefined || password !== undefined) recorder?.forget()
  const now = environment.now()
  const hasCome = (moment: Date) => moment <= now
  const reader = { viewer, language, forEditing, password, passwordKey: undefined }
  const texts = new TextBudget()
  return Object.freeze({ db, settings, site, now, hasCome, recorder, checksOnly, texts, writes, ...reader })
}
