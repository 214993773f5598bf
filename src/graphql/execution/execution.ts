// The public interface of compiled execution: a Yoga plugin, and the same for operations in process.
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { executeCompiled } from './execute-compiled.ts'
import { executeVerified } from './verify.ts'

/** `compiled`, `verify` (each result is compared with that of graphql-js), or `graphql-js`. */
export type ExecutionMode = 'compiled' | 'verify' | 'graphql-js'

export type ExecuteOperation = (args: ExecutionArgs) => Promise<ExecutionResult>

const graphqlJs: ExecuteOperation = async (args) => execute(args)

const modes: Readonly<Record<ExecutionMode, ExecuteOperation>> = {
  compiled: executeCompiled,
  verify: executeVerified,
  'graphql-js': graphqlJs,
}

export const executionOf = (mode: ExecutionMode): ExecuteOperation => modes[mode]

/** Executes operations as `mode` says instead of by graphql-js. Without this plugin everything works, slower. */
export const useCompiledExecution = (mode: ExecutionMode): Plugin => ({
  onExecute({ setExecuteFn }) {
    setExecuteFn(modes[mode])
  },
})
