// Responses as streams of server-sent events, in the protocol "distinct connections mode" of graphql-sse.
import { Readable } from 'node:stream'
import type { GraphQLError } from 'graphql'

const comment = Buffer.from(':\n\n')
const complete = 'event: complete\ndata:\n\n'

/** Returns the server-sent event with one result of an operation. JSON text has no line breaks. */
export const resultEvent = (json: string): string => `event: next\ndata: ${json}\n\n`

/** Returns the whole event stream of an operation with a single result. */
export const singleResultEvents = (json: string): string => resultEvent(json) + complete

/** Unsent bytes above which a client is disconnected instead of getting more events. */
const maxUnsent = 1_000_000

/** The body of the response to a subscription. */
export class EventStream extends Readable {
  #isComplete = false

  constructor() {
    super({ read() {} })
    // Some clients wait for the first byte of the body.
    this.push(comment)
  }

  /** Sends events. Disconnects a client that reads too slowly, so that its unsent events do not fill the memory. */
  send(events: Buffer): void {
    if (this.#isComplete || this.destroyed) return
    if (this.readableLength > maxUnsent) this.destroy()
    else this.push(events)
  }

  /** Sends a comment, so that proxies and clients do not close the connection. */
  sendHeartbeat(): void {
    this.send(comment)
  }

  /** Sends the error and ends the stream, unless it has ended. */
  fail(error: GraphQLError): void {
    if (this.#isComplete || this.destroyed) return
    this.#isComplete = true
    this.push(singleResultEvents(JSON.stringify({ errors: [error] })))
    this.push(null)
  }
}
