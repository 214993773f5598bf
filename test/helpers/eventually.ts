import { vi } from 'vitest'

/** Calls `check` until it no longer throws, and returns its result. By default, Vitest waits a second, too short on a busy machine. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 180_000, interval: 20 })
