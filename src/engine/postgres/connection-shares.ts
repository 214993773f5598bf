// Limits how many connections of a pool each API client uses at a time, so that no client takes all connections.
import { AsyncLocalStorage } from 'node:async_hooks'
import { startDeadline } from '../../basics/deadline.ts'
import { BusyError } from './unavailable.ts'

/** The work of one request of an API client. The work may use a limited number of connections at a time. */
export interface ClientWork {
  /** Name of the client whose limit of connections applies to the work. */
  client: string
  held: number
  /** Set when nobody waits for the result any more. The work then gets no further connection. */
  abandoned: Error | undefined
}

const running = new AsyncLocalStorage<ClientWork>()

/** Runs a function as the work of a client: all its statements count as work of this client. */
export const startClientWork = <Result>(client: string, run: (work: ClientWork) => Result): Result => {
  const work: ClientWork = { client, held: 0, abandoned: undefined }
  return running.run(work, run, work)
}

/** Assigns the current work to another client, once authentication has identified the client. */
export function assignWorkToClient(client: string): void {
  const work = running.getStore()
  if (work) work.client = client
}

export const currentClientWork = (): ClientWork | undefined => running.getStore()

/** Runs work that belongs to no client, such as opening connections and handling their events. */
export const runWithoutClient = <Result>(run: () => Result): Result => running.exit(run)

/** Maximum number of connections that one request uses at a time. */
const maxPerRequest = 3

interface Waiting {
  readonly work: ClientWork
  readonly start: () => void
}

interface Client {
  held: number
  readonly waiting: Waiting[]
}

/** Creates a limiter that gives each client at most half of the connections of a pool, rounded up. */
export function createConnectionLimiter(limits: () => { readonly connections: number; readonly maxWaitMs: number }) {
  /** Clients that have or wait for connections. The client that got a connection the longest ago comes first. */
  const clients = new Map<string, Client>()
  let [total, waitingCount] = [0, 0]

  /** Moves the client to the end of the order of clients, and returns the client. */
  const moveToEnd = (name: string, client: Client): Client => {
    clients.delete(name)
    clients.set(name, client)
    return client
  }

  const hasShare = ({ held }: Client) => held < Math.ceil(limits().connections / 2)

  const take = (work: ClientWork, name: string, client: Client): (() => void) => {
    moveToEnd(name, client)
    client.held += 1
    work.held += 1
    total += 1
    return () => {
      client.held -= 1
      work.held -= 1
      total -= 1
      startWaiting()
      if (client.held === 0 && client.waiting.length === 0 && clients.get(name) === client) clients.delete(name)
    }
  }

  const startable = (client: Client) =>
    hasShare(client) ? client.waiting.find(({ work }) => work.held < maxPerRequest) : undefined

  const startWaiting = () => {
    while (waitingCount > 0 && total < limits().connections) {
      const [next] = [...clients.values()].filter(startable).sort((one, other) => one.held - other.held)
      if (!next) return
      startable(next)?.start()
    }
  }

  const wait = (work: ClientWork, name: string, client: Client) =>
    new Promise<() => void>((resolve, reject) => {
      const remove = () => {
        cancel()
        client.waiting.splice(client.waiting.indexOf(entry), 1)
        waitingCount -= 1
      }
      const expire = () => {
        // Waits once more if the request holds connections, because it may be waiting for its own other statements.
        if (work.held > 0 && !work.abandoned) cancel = startDeadline(limits().maxWaitMs, expire)
        else {
          remove()
          reject(work.abandoned ?? new BusyError())
        }
      }
      let cancel = startDeadline(limits().maxWaitMs, expire)
      const start = () => {
        remove()
        if (work.abandoned) reject(work.abandoned)
        else resolve(take(work, name, client))
      }
      const entry = { work, start }
      client.waiting.push(entry)
      waitingCount += 1
    })

  return {
    get waitingCount() {
      return waitingCount
    },
    /**
     * Waits for a connection, and resolves with the function that gives the connection back. The next free connection goes to the
     * client that uses the fewest, among equal clients to the one that got one the longest ago. Throws BusyError after `maxWaitMs`.
     */
    async acquire(work: ClientWork): Promise<() => void> {
      if (work.abandoned) throw work.abandoned
      const { client: name } = work
      const client = clients.get(name) ?? moveToEnd(name, { held: 0, waiting: [] })
      // Work that already waits could not start either, so this work does not overtake it.
      const canStart = total < limits().connections && hasShare(client) && work.held < maxPerRequest
      return canStart ? take(work, name, client) : wait(work, name, client)
    },
  }
}
