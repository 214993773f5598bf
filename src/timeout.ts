import { DomainError } from './errors.ts'

/** What doors say of an answer that REQUEST_TIMEOUT ended; undefined for other errors. */
export const outOfTime = (error: unknown): DomainError | undefined =>
  (error as { code?: unknown }).code === 'FST_ERR_HANDLER_TIMEOUT'
    ? new DomainError('UNAVAILABLE', 'This took too long and was given up. Ask for less, or try again later.')
    : undefined
