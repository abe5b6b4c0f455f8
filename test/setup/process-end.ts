// What test files of a process share outlives the file that starts it.
import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'

/** Made before any test runs: hooks that are registered in its scope are not those of a test or a file. */
const scope = new AsyncResource('process of tests')

/** Runs `act` as if no test were running: a suite that it makes is one of the process. */
export const outsideOfTests = <T>(act: () => T): T => scope.runInAsyncScope(act)

/** Runs `end` when all test files of this process are done. */
export const atProcessEnd = (end: () => unknown): void => outsideOfTests(() => after(async () => void (await end())))
