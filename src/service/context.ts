import type { Settings } from '../basics/env.ts'
import type { ResponseCache, ResponseRecorder } from '../engine/cache/response-cache.ts'
import type { Db, Tx } from '../engine/postgres/client.ts'
import type { ReadSource, Replicas } from '../engine/postgres/replicas/replicas.ts'
import type { Actor } from '../engine/postgres/transaction.ts'
import { createRequestWrites, type RequestWrites } from '../engine/postgres/write-outcome.ts'
import { createReads, type Reads } from '../engine/reads/reads.ts'
import type { Viewer } from './auth/permissions.ts'
import type { SignIn } from './auth/sign-in.ts'

/** Values that were generated when the database was created. */
export interface Site {
  readonly passwordSalt: Uint8Array
  /** Host in the UIDs of events. */
  readonly uidHost: string
}

/** The records and counts that an operation withheld because of a password. */
export interface Withheld {
  /** IDs of the locked records that it read. */
  readonly records: Set<number>
  /** IDs of the categories and tags whose event counts it read. */
  readonly terms: Set<number>
  /** Whether a filter excluded locked records. */
  byFilter: boolean
}

/** Creates a record of what an operation withholds, in which nothing is withheld yet. */
export const nothingWithheld = (): Withheld => ({ records: new Set(), terms: new Set(), byFilter: false })

/** The password for protected records that a request carries. */
interface RequestPassword {
  /** Returns the hash of the password if this process computed that hash recently; otherwise undefined. */
  cachedKey(): string | undefined
  /**
   * Returns the hash if something was withheld and any record has this password; undefined otherwise. A wrong password
   * counts once per request. Throws tooManyFailuresError if the address sent too many wrong passwords for a withheld record.
   */
  check(context: Pick<Context, 'reads' | 'site'>, withheld: Withheld): Promise<string | undefined>
}

/** Who a rate limit applies to: a signed-in user, or an address. */
export interface Client {
  readonly viewer: Viewer | undefined
  readonly address: string
}

/** Rate limits of reads and writes. */
export interface RateLimits {
  /** Counts `times` writes. Throws tooManyRequestsError above the limit. */
  write(client: Client, times?: number): Promise<void>
  /** Counts a read by the cost of its operation, by default the cost of a usual list. Throws tooManyRequestsError above the limit. */
  read(client: Client, cost?: number): Promise<void>
}

/** Chooses the database server that a query reads from. `isCached` says whether the result goes into the response cache. */
export type ChooseReadSource = (isCached: boolean) => Promise<ReadSource>

/** Options that a command which imports records adds to its mutation. No request can set them. */
export interface ImportedRecordOptions {
  /** A free ID for the new record. */
  readonly recordId?: number | undefined
  /** IDs of events that dates of a new series replace, by the local start or day of the date. */
  readonly dateIds?: ReadonlyMap<string, number> | undefined
  /** Days and local times that a series excludes, instead of those of the input, and without its limit. */
  readonly excludedDates?: readonly string[] | undefined
  /** The dates excluded so far that stay excluded; by default all. */
  readonly excludedBefore?: readonly string[] | undefined
  /** Extra dates of a series, instead of those of the input, and without its limit. */
  readonly extraDates?: readonly { readonly startsLocal: string; readonly endsLocal: string }[] | undefined
  /** When the record was modified on the other site. */
  readonly modifiedAt?: Date | undefined
  /** Callbacks in the transaction of the mutation: before the write, and after the write with the ID of the written record. */
  beforeWrite?(tx: Tx): Promise<void>
  afterWrite?(tx: Tx, id: number): Promise<void>
}

/** The GraphQL context of an operation. Immutable, and the same for all APIs. */
export interface Context {
  /** Prisma Client on the primary, for transactions. */
  readonly db: Db
  /** Everything that the operation reads outside of transactions. */
  readonly reads: Reads
  /** Chooses the server that a query reads from instead of `db`. Set for visitors if there are replicas. */
  readonly chooseSource?: ChooseReadSource | undefined
  readonly settings: Settings
  readonly site: Site
  /** The language of the operation. */
  readonly language: string
  /** The time of the operation, with which all rules compare. */
  readonly now: Date
  /** The current time, for operations that continue after their first result. */
  readonly clock: () => Date
  /** Whether `time` is not after `now`. */
  readonly hasCome: (time: Date) => boolean
  /** The signed-in user; undefined for anonymous requests. */
  readonly viewer: Viewer | undefined
  /** What runs the operation, for the log of changes. */
  readonly origin: Origin
  /** Verifies the login and password of a person. Throws like a sign-in with them. Undefined for visitors and commands. */
  readonly checkPassword: ((login: string, password: string) => Promise<unknown>) | undefined
  /** IP address of the client; undefined for commands and jobs. */
  readonly address: string | undefined
  /** Whether records are read for editing: then locked records are unlocked for users who may edit them. */
  readonly forEditing: boolean
  /** Whether mutations only validate their input, because the request will be rejected for another error. */
  readonly checksOnly: boolean
  readonly importing: ImportedRecordOptions | undefined
  /** Password for protected records, which is hashed only if the operation withholds a protected record. */
  readonly password: RequestPassword | undefined
  /** Hash of the password; undefined until computed. Unlocks the records that have this password. */
  readonly passwordKey: string | undefined
  /** Collects the records and counts that were withheld because the request has no valid password for them. */
  readonly withheld?: Withheld | undefined
  /** Collects what the response depends on, if it may be cached. */
  readonly recorder: ResponseRecorder | undefined
  /** The progress and outcome of the mutations of the operation. */
  readonly writes: RequestWrites
}

/** The services and settings that requests share. */
export interface Environment {
  readonly db: Db
  readonly settings: Settings
  /** Values of the site; a promise until the database is ready. */
  readonly site: Site | Promise<Site>
  /** Returns the current time. Tests replace this clock. */
  readonly now: () => Date
  readonly signIn: SignIn
  readonly rateLimits: RateLimits
  /** Creates the password of a request. `address` is the IP address of the client. */
  readonly requestPassword: (password: string, address: string) => RequestPassword
  /** Cached responses to anonymous requests. */
  readonly cache: ResponseCache
  /** Read replicas of the database; undefined without DATABASE_REPLICA_URL. */
  readonly replicas?: Replicas | undefined
  /** Returns why the disk has too little space for writes, or undefined. Only for PGlite, the embedded database. */
  readonly shortage?: (() => string | undefined) | undefined
}

/** What runs an operation: the name of an API, `command` or `job`; and the ID of the request. */
export interface Origin {
  readonly source: string
  readonly requestId?: string | undefined
}

/** Returns who changes records through operations with this context. */
export const actorOf = ({ viewer, origin }: Pick<Context, 'viewer' | 'origin'>): Actor => ({
  user: viewer?.id || undefined,
  credential: viewer?.authentication?.credential,
  source: origin.source,
  request: origin.requestId,
})

type Optional =
  | 'origin'
  | 'address'
  | 'checkPassword'
  | 'password'
  | 'forEditing'
  | 'recorder'
  | 'checksOnly'
  | 'importing'
  | 'writes'

/** The part of the context that an API sets for an operation. */
export interface OperationOptions extends Pick<Context, 'viewer' | 'language'>, Partial<Pick<Context, Optional>> {
  /** Chooses between primary and replicas. Only queries of visitors use this function. */
  readonly replicaReads?: ChooseReadSource | undefined
}

/** Creates the GraphQL context of an operation. */
export async function createContext(
  { db, settings, site, now: clock }: Pick<Environment, 'db' | 'settings' | 'site' | 'now'>,
  { replicaReads, ...operation }: OperationOptions,
): Promise<Context> {
  const { viewer, password, recorder } = operation
  const isPublic = viewer === undefined && password === undefined
  if (!isPublic) recorder?.preventCaching()
  return Object.freeze({
    ...{ db, settings, site: await site, clock, chooseSource: isPublic ? replicaReads : undefined },
    ...{
      viewer,
      origin: operation.origin ?? { source: 'command' },
      checkPassword: operation.checkPassword,
      address: operation.address,
      password,
      recorder,
      language: operation.language,
      importing: operation.importing,
    },
    ...{ forEditing: operation.forEditing ?? false, checksOnly: operation.checksOnly ?? false, passwordKey: undefined },
    ...startOf(clock, db),
    writes: operation.writes ?? createRequestWrites(),
  })
}

/** Returns the context of the same viewer with the current time, for the next result of a subscription. */
export const withCurrentTime = (context: Context): Context =>
  Object.freeze({ ...context, ...startOf(context.clock, context.db), writes: createRequestWrites() })

/** Returns the context of the same operation with reads from the primary server, which has all that was written. */
export const readFromPrimary = (context: Context): Context => ({ ...context, reads: context.reads.on(context.db) })

function startOf(clock: () => Date, db: Db) {
  const now = clock()
  return { now, hasCome: (time: Date) => time <= now, reads: createReads(db, now) }
}
