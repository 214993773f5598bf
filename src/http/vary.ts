import type { FastifyReply } from 'fastify'

/** Adds what an answer depends on to what it is said to depend on already. */
export function addVary(reply: FastifyReply, fields: string): FastifyReply {
  const before = reply.getHeader('vary')
  return reply.header('vary', before === undefined ? fields : `${before}, ${fields}`)
}
