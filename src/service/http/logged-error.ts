// Serializes errors for the log, without the values that they concern.

export interface LoggedError {
  readonly [name: string]: unknown
  readonly type: string
  readonly code?: string
  readonly message: string
  /** Model, table or constraint that the error concerns. */
  readonly about?: string
  readonly stack: string
  readonly cause?: LoggedError
}

interface ErrorDetails {
  readonly code?: unknown
  readonly table?: unknown
  readonly constraint?: unknown
  readonly kind?: unknown
  readonly meta?: { readonly driverAdapterError?: unknown; readonly modelName?: unknown }
}

export function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: '', stack: '' }
  const { code, table, constraint, kind, meta } = error as ErrorDetails
  const { name, message, stack, cause: thrown } = error as Error
  const cause = thrown ?? meta?.driverAdapterError
  const about = [meta?.modelName, kind, table, constraint].filter((part) => typeof part === 'string').join(' ')
  return {
    type: name ?? 'object',
    ...(typeof code === 'string' && /^\w{1,60}$/.test(code) ? { code } : {}),
    ...(about && { about }),
    message: error instanceof Error && !isOfDatabase(error) ? withoutValues(message) : '',
    stack: depth === 0 ? frames(stack ?? '') : '',
    ...(cause && depth < 4 ? { cause: toLoggedError(cause, depth + 1) } : {}),
  }
}

/** The messages of Prisma and PostgreSQL contain values and arguments of queries. */
const isOfDatabase = (error: Error) => /^(Prisma|DriverAdapter)/.test(error.name) || 'severity' in error

/** The first line without quoted parts, because parsers quote their input. */
function withoutValues(message: string): string {
  const [line = ''] = message.split('\n', 1)
  return line.slice(0, 300).replace(/"[^"]*"?|`[^`]*`?|(?<!\w)'[^']*'?/g, '…')
}

const frames = (stack: string) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 20)
    .join('\n')
