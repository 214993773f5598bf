// The public interface of compiled execution. Without it everything works, but slower.
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql'
import { executeCompiled } from './execute-compiled.ts'
import type { ReaderOf } from './record-resolvers.ts'
import { executeVerified } from './verify.ts'

/** `verify` compares each compiled result with that of graphql-js. */
export type ExecutionMode = 'compiled' | 'verify' | 'graphql-js'

export type ExecuteOperation = (args: ExecutionArgs) => Promise<ExecutionResult>

/** How operations with contexts of this type are executed in each mode. */
export const executionModes = <Context>(
  readerOf: ReaderOf<Context>,
): Readonly<Record<ExecutionMode, ExecuteOperation>> => ({
  compiled: (args) => executeCompiled(args, readerOf),
  verify: (args) => executeVerified(args, (again) => executeCompiled(again, readerOf)),
  'graphql-js': async (args) => execute(args),
})
