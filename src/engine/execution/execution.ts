// The public interface of compiled execution: a Yoga plugin, and a function for operations in process.
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { executeCompiled } from './execute-compiled.ts'
import { executeVerified } from './verify.ts'

/** `verify` compares each compiled result with that of graphql-js. */
export type ExecutionMode = 'compiled' | 'verify' | 'graphql-js'

export type ExecuteOperation = (args: ExecutionArgs) => Promise<ExecutionResult>

const graphqlJs: ExecuteOperation = async (args) => execute(args)

const modes: Readonly<Record<ExecutionMode, ExecuteOperation>> = {
  compiled: executeCompiled,
  verify: executeVerified,
  'graphql-js': graphqlJs,
}

export const executionOf = (mode: ExecutionMode): ExecuteOperation => modes[mode]

/** Executes operations in this mode instead of with graphql-js. Without this plugin everything works, but slower. */
export const useCompiledExecution = (mode: ExecutionMode): Plugin => ({
  onExecute({ setExecuteFn }) {
    setExecuteFn(modes[mode])
  },
})
