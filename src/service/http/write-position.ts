// With replicas, a response to a write contains the WAL position of the write. A client that sends the position with later
// requests, as a cookie or a header, never reads from a replica that has not replayed the write.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { formatPosition, type LogPosition, parsePosition } from '../../engine/postgres/replicas/position.ts'
import type { Replicas } from '../../engine/postgres/replicas/replicas.ts'
import { writesOfRequest } from '../../engine/postgres/write-outcome.ts'
import type { ChooseReadSource } from '../context.ts'

const header = 'calendar-write-position'
const cookie = 'calendar_write_position'

/** Seconds. The cookie has to outlive only REPLICA_MAX_LAG, because a replica that lags longer is not used. */
const cookieAge = ({ replicaMaxLag }: Settings) => 60 + Math.ceil(replicaMaxLag / 1000)

/** Adds the WAL position of the primary to responses to writes. */
export function sendWritePositions(app: FastifyInstance, replicas: Replicas, settings: Settings): void {
  const attributes = [
    `Max-Age=${cookieAge(settings)}`,
    ...['Path=/', 'HttpOnly', 'SameSite=Lax'],
    ...(settings.publicUrl.startsWith('https:') ? ['Secure'] : []),
  ].join('; ')
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method === 'GET' || request.method === 'HEAD') return payload
    const states = writesOfRequest(request).all.map(({ progress }) => progress.state)
    if (states.every((state) => state === 'open')) return payload
    const position = states.includes('committing') ? 'latest' : await replicas.writtenPosition()
    const text = position === 'latest' ? position : formatPosition(position)
    reply.header(header, text).header('set-cookie', `${cookie}=${text}; ${attributes}`)
    return payload
  })
}

/** Returns the WAL position that the client sent in a header or cookie; undefined if it sent none, or no valid position. */
export function writePositionOf({ headers }: Pick<FastifyRequest, 'headers'>): LogPosition | 'latest' | undefined {
  const [, stored] = /(?:^|; *)calendar_write_position=([^;]*)/.exec(headers.cookie ?? '') ?? []
  const [fromHeader, fromCookie] = [headers[header], stored].map((text) => {
    if (typeof text !== 'string') return undefined
    return text === 'latest' ? text : parsePosition(text)
  })
  if (fromHeader === 'latest' || fromCookie === 'latest') return 'latest'
  if (fromHeader === undefined || fromCookie === undefined) return fromHeader ?? fromCookie
  return fromHeader > fromCookie ? fromHeader : fromCookie
}

/** Returns a function that chooses the database server for the queries of a visitor; undefined if there are no replicas. */
export function createSourceChooser(
  replicas: Replicas | undefined,
  request: FastifyRequest,
): ChooseReadSource | undefined {
  if (!replicas) return undefined
  const after = writePositionOf(request)
  return (isCached) => replicas.choose({ after, isCached })
}
