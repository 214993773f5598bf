// Reads by one SQL statement each, compiled from Prisma's arguments, with the results that Prisma would return: a Prisma
// Client extension. What it does not compile goes on to Prisma's own engine.
import { Prisma } from '../../generated/prisma/client.ts'
import { emitRead, queryRows } from '../query.ts'
import {
  type CompiledStatement,
  compileByIds,
  compileCount,
  compileFindFirst,
  compileFindMany,
  type FindArgs,
  type Row,
  readsInTwoSteps,
} from './statement.ts'
import { ifSupported } from './unsupported.ts'
import { verifyResult } from './verify.ts'

/** `on` compiles what it can, `verify` also compares each result with Prisma's, `prisma` leaves all reads to Prisma. */
export type ReadEngineMode = 'on' | 'verify' | 'prisma'

/** Runs a compiled read; undefined for arguments that are not supported. */
type Read = (client: object, model: string, args: object) => Promise<unknown> | undefined

const run = async (
  client: object,
  { text, values, usesGenericPlan, decode }: CompiledStatement,
  kind: 'record' | 'list',
) => {
  const rows = await queryRows<Row>(client, { text, values, prepared: usesGenericPlan ? kind : undefined })
  return rows.map(decode)
}

const findFirst: Read = (client, model, args) => {
  const statement = ifSupported(() => compileFindFirst(model, args))
  return statement && run(client, statement, 'record').then(([record = null]) => record)
}

const findFirstOrThrow: Read = (client, model, args) =>
  findFirst(client, model, args)?.then((record) => {
    if (record !== null) return record
    throw new Prisma.PrismaClientKnownRequestError(`No ${model} found`, {
      code: 'P2025',
      clientVersion: Prisma.prismaVersion.client,
    })
  })

const findMany: Read = (client, model, args: FindArgs) => {
  const ids = idsOf(args)
  if (ids) {
    const statement = ifSupported(() => compileByIds(model, args, ids))
    return statement && run(client, statement, 'record')
  }
  const twoSteps = ifSupported(() => readsInTwoSteps(model, args))
  if (twoSteps === undefined) return undefined
  if (!twoSteps) {
    const statement = ifSupported(() => compileFindMany(model, args))
    return statement && run(client, statement, 'list')
  }
  const { where, orderBy, skip, take } = args
  const keys = ifSupported(() => compileFindMany(model, { where, orderBy, skip, take, select: onlyId }))
  return keys && ifSupported(() => compileByIds(model, args, [])) && findInTwoSteps(client, model, args, keys)
}

const onlyId = { id: true }

async function findInTwoSteps(
  client: object,
  model: string,
  args: FindArgs,
  keys: CompiledStatement,
): Promise<object[]> {
  const found = (await run(client, keys, 'list')) as { id: number }[]
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const statement = compileByIds(model, args, ids)
  const rows = await queryRows<Row & { id: number }>(client, { ...statement, prepared: 'record' })
  const byId = new Map(rows.map((row) => [row.id, row]))
  // A record that was deleted between the two statements is left out.
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [statement.decode(row)] : []
  })
}

/** The IDs of `where: { id: { in } }` without an order: the commonest list of a resolver, which one plan serves. */
function idsOf({ where, orderBy, skip, take, cursor, distinct }: FindArgs & { cursor?: unknown; distinct?: unknown }) {
  const [[name, filter] = [], ...others] = Object.entries(where ?? {})
  const extra = [orderBy, skip, take, cursor, distinct].some((value) => value !== undefined)
  if (name !== 'id' || others.length > 0 || extra || typeof filter !== 'object' || filter === null) return undefined
  const { in: ids, ...operators } = filter as { in?: unknown }
  return Array.isArray(ids) && Object.keys(operators).length === 0 ? ids : undefined
}

const count: Read = (client, model, args) => {
  const { where, ...others } = args as { where?: object }
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  const statement = ifSupported(() => compileCount(model, where))
  return (
    statement &&
    queryRows<{ count: number }>(client, { ...statement, prepared: undefined }).then(([row]) => row?.count ?? 0)
  )
}

const findPage: Read = (client, model, args) => {
  const { total, ...list } = args as FindArgs & { total?: boolean }
  const records = list.take === 0 ? Promise.resolve([]) : findMany(client, model, list)
  const counted = total ? count(client, model, { where: list.where }) : Promise.resolve(undefined)
  return (
    records && counted && Promise.all([records, counted]).then(([found, number]) => ({ records: found, total: number }))
  )
}

const reads: Readonly<Record<string, Read>> = {
  findFirst,
  findFirstOrThrow,
  findUnique: findFirst,
  findUniqueOrThrow: findFirstOrThrow,
  findMany,
  count,
  findPage,
}

type Delegate = Readonly<Record<string, (args: object) => Promise<unknown>>>

/** The same client, whose reads outside of transactions this engine runs. */
export function withReadEngine<Client extends object>(client: Client, mode: ReadEngineMode): Client {
  const base = client as unknown as Readonly<Record<string, Delegate>> & {
    $extends(extension: object): Client
    $transaction: (...args: unknown[]) => unknown
  }
  const methods = Object.entries(reads).map(([name, read]) => [
    name,
    function (this: object, args: object = {}) {
      const model = Prisma.getExtensionContext(this).$name ?? ''
      const delegate = base[delegateName(model)] as Delegate
      const viaPrisma = () => (delegate[name] as Delegate[string])(args)
      const result = mode === 'prisma' ? undefined : read(client, model, args)
      emitRead(client, result ? 'compiled' : 'prisma')
      if (!result) return viaPrisma()
      return mode === 'verify'
        ? verifyResult({ model, name, args }, result, viaPrisma, () => read(client, model, args))
        : result
    },
  ])
  return base.$extends({
    name: 'read-engine',
    // Reads of a transaction belong on its connection: they are Prisma's.
    client: { $transaction: (...args: unknown[]) => base.$transaction(...args) },
    model: { $allModels: Object.fromEntries(methods) },
  })
}

const delegateName = (model: string) => `${model.charAt(0).toLowerCase()}${model.slice(1)}`
