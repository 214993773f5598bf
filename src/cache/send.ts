import type { FastifyReply } from 'fastify'
import type { Answer } from './answers.ts'

/** Sends an answer; `cache` says what became of it in memory, as RFC 9211 has it, where it may be kept at all. */
export function sendAnswer(reply: FastifyReply, answer: Answer, cache?: 'hit' | 'fwd=miss'): FastifyReply {
  const { status, headers, body, etag } = answer
  if (cache !== undefined) reply.header('cache-status', `calendar; ${cache}`)
  if (status === 200 && etag !== undefined) reply.header('etag', etag)
  return reply.code(status).headers(headers).send(body)
}
