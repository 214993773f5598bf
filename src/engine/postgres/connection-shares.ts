// Shares the connections of a pool among the requests of clients, so that none of them takes all.
import { AsyncLocalStorage } from 'node:async_hooks'
import { startDeadline } from '../../basics/deadline.ts'
import { BusyError } from './unavailable.ts'

/** The work that runs for one client of the API. It may use a limited number of connections at a time. */
export interface ClientWork {
  /** Name of the client whose share of connections the work uses. */
  client: string
  held: number
  /** Set when nobody waits for the result any more: then it gets no further connection. */
  abandoned: Error | undefined
}

const running = new AsyncLocalStorage<ClientWork>()

export const startClientWork = <Result>(client: string, run: (work: ClientWork) => Result): Result => {
  const work: ClientWork = { client, held: 0, abandoned: undefined }
  return running.run(work, run, work)
}

/** Assigns the current work to another client, once authentication has identified the client. */
export function useShareOf(client: string): void {
  const work = running.getStore()
  if (work) work.client = client
}

export const currentClientWork = (): ClientWork | undefined => running.getStore()

/** Runs work that belongs to no client, such as opening connections and handling their events. */
export const withoutClient = <Result>(run: () => Result): Result => running.exit(run)

/** Connections that one request uses at a time. */
const maxPerRequest = 3

interface Waiting {
  readonly work: ClientWork
  readonly start: () => void
}

interface Client {
  held: number
  readonly waiting: Waiting[]
}

/** A client gets at most half of the connections, rounded up. */
export function createConnectionLimiter(limits: () => { readonly connections: number; readonly maxWaitMs: number }) {
  /** Those whose last turn is the longest ago come first. A client without connections begins with its first wait. */
  const clients = new Map<string, Client>()
  let [total, waitingCount] = [0, 0]

  /** The client, which comes last from now on. */
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
        // It waits for its own other statements.
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
     * Resolves with the function that gives the connection back. Those who wait come in order: first the clients that use the
     * fewest connections, and among them the one whose last turn is the longest ago. Throws BusyError after `maxWaitMs`.
     */
    async acquire(work: ClientWork): Promise<() => void> {
      if (work.abandoned) throw work.abandoned
      const { client: name } = work
      const client = clients.get(name) ?? moveToEnd(name, { held: 0, waiting: [] })
      // Those who wait already cannot start, or they would have.
      const canStart = total < limits().connections && hasShare(client) && work.held < maxPerRequest
      return canStart ? take(work, name, client) : wait(work, name, client)
    },
  }
}
