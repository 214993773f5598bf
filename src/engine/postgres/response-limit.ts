// Limits the bytes that PostgreSQL returns for one API response, and for all responses in progress. Complexity limits are
// not enough, because the size of a list depends on the stored texts.
import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { DomainError, responseTooLargeError } from '../../basics/errors.ts'

/** Maximum number of bytes for one response: twice the largest page of events with the longest texts. */
const maxBytes = 20_000_000

/** Maximum number of bytes for all responses in progress. */
const maxBytesOfAll = 200_000_000

interface Response {
  bytes: number
  isOver: boolean
}

const responses = new AsyncLocalStorage<Response>()
let bytesOfAll = 0

/** Runs a function that produces a response. Its statements fail when they have returned too many bytes. */
export async function withResponseLimit<Result>(run: () => Promise<Result>): Promise<Result> {
  const response: Response = { bytes: 0, isOver: false }
  try {
    return await responses.run(response, run)
  } finally {
    response.isOver = true
    bytesOfAll -= response.bytes
  }
}

/** Returns type parsers for the driver that count the bytes of a response as its rows arrive. */
export function createCountingParsers(): pg.CustomTypesConfig | undefined {
  const response = responses.getStore()
  return response && { getTypeParser: (type, format) => countingParser(response, pg.types.getTypeParser(type, format)) }
}

const countingParser =
  (response: Response, parse: (value: string) => unknown) =>
  (value: string): unknown => {
    count(response, Buffer.byteLength(value))
    return parse(value)
  }

function count(response: Response, bytes: number): void {
  // The response has already failed, so the rows of its other statements are not counted.
  if (response.isOver) return
  response.bytes += bytes
  bytesOfAll += bytes
  if (response.bytes > maxBytes) throw responseTooLargeError()
  if (bytesOfAll > maxBytesOfAll) throw tooManyLongTexts()
}

const tooManyLongTexts = () =>
  new DomainError('UNAVAILABLE', 'Too many responses with long texts are in progress. Retry in 5 seconds.', {
    retryAfter: 5,
  })
