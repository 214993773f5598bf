import type { FastifyReply } from 'fastify'

/** Appends request headers to the Vary header. */
export function addVary(reply: FastifyReply, fields: string): FastifyReply {
  const before = reply.getHeader('vary')
  return reply.header('vary', before === undefined ? fields : `${before}, ${fields}`)
}
