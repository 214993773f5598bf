// Cuts the database connections around a chosen statement: with a TCP proxy for a PostgreSQL server, and in the stream of
// the embedded database.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { inject } from 'vitest'
import { type Database, openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { openTestDatabase, type TestDatabase } from './db.ts'

/** When to cut: before the statement is sent, before its response arrives, or after it; then the database stays away. */
export type Cut = 'before the statement' | 'before the response' | 'after the response'

export interface Cutter extends TestDatabase {
  /** Cuts all connections at the next statement that contains this text. */
  arm(text: string, cut: Cut): void
  /** Allows connections again. */
  restore(): Promise<void>
}

interface Armed {
  readonly text: string
  readonly cut: Cut
  isSent: boolean
  isAnswered: boolean
}

/** Decides which bytes pass. `isAway` is true until connections are allowed again. */
function createSwitch(cutAll: () => void) {
  let armed: Armed | undefined
  const state = { isAway: false }
  const cut = () => {
    const stays = armed?.cut === 'after the response'
    armed = undefined
    state.isAway = stays
    cutAll()
  }
  return {
    state,
    arm: (text: string, how: Cut) => {
      armed = { text, cut: how, isSent: false, isAnswered: false }
    },
    /** Whether bytes of a statement pass. */
    toServer(bytes: Buffer): boolean {
      if (!armed?.isAnswered) {
        if (!armed || armed.isSent || !bytes.includes(armed.text)) return true
        armed.isSent = true
        if (armed.cut !== 'before the statement') return true
      }
      cut()
      return false
    },
    isArmedBy: (bytes: Buffer) => armed !== undefined && bytes.includes(armed.text),
    /** Whether bytes of a response pass. */
    toClient(): boolean {
      if (!armed?.isSent) return true
      if (armed.cut === 'before the response') {
        cut()
        return false
      }
      armed.isAnswered = true
      return true
    },
  }
}

export async function openCutter(): Promise<Cutter> {
  const own = await openTestDatabase()
  return inject('server') ? behindProxy(own) : withinStream(own)
}

async function behindProxy(own: TestDatabase): Promise<Cutter> {
  const target = new URL(String(own.database.pool.options.connectionString))
  const sockets = new Set<Socket>()
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const { state, arm, toServer, toClient, isArmedBy } = createSwitch(cutAll)
  const proxy = createServer((client) => {
    if (state.isAway) return client.destroy()
    const server = connect(Number(target.port), target.hostname)
    let isSender = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (!toServer(bytes)) return
      isSender = isArmedBy(bytes)
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isSender || toClient()) client.write(bytes)
    })
    return undefined
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const url = new URL(target)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const database = openServerDatabase(url.href, 4)
  const statements: string[] = []
  const db = createClient(database.pool, { onQuery: ({ query }) => statements.push(query) })
  const restore = async () => {
    state.isAway = false
    cutAll()
    await waitForConnection(database)
  }
  const close = async () => {
    await db.$disconnect()
    await database.close()
    proxy.close()
    cutAll()
    await own.close()
  }
  return { db, database, statements, arm, restore, close }
}

type Stream = Duplex & { connect(): void }

async function withinStream(own: TestDatabase): Promise<Cutter> {
  const { options } = own.database.pool
  const open = options.stream as unknown as () => Stream
  let current: Stream | undefined
  const lost = () => Object.assign(new Error('The connection was cut'), { code: '08006' })
  const { state, arm, toServer, toClient } = createSwitch(() => current?.destroy(lost()))
  const refuse = () => {
    const stream = Object.assign(new Duplex({ read() {} }), {
      connect: () => void process.nextTick(() => stream.destroy(lost())),
      ...{ setNoDelay() {}, ref() {}, unref() {} },
    })
    return stream
  }
  const openCut = () => {
    if (state.isAway) return refuse()
    const stream = open()
    current = stream
    const push = stream.push.bind(stream)
    stream.push = (bytes: Uint8Array | null) => (bytes === null || toClient() ? push(bytes) : false)
    const write = stream.write.bind(stream) as (bytes: Buffer, done?: () => void) => boolean
    stream.write = ((bytes: Buffer, done?: () => void) => !toServer(bytes) || write(bytes, done)) as Stream['write']
    return stream
  }
  Object.assign(options, { stream: openCut })
  const restore = async () => {
    state.isAway = false
    current?.destroy(lost())
    await waitForConnection(own.database)
  }
  // The existing connection was opened without the switch.
  const client = await own.database.pool.connect()
  client.release(true)
  await waitForConnection(own.database)
  return { ...own, arm, restore }
}

/** Repeats a query until the pool has replaced lost connections. */
async function waitForConnection({ pool }: Database): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      await pool.query('select 1')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  throw new Error('The database did not come back')
}
