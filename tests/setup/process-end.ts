// Hooks of the whole process, for programs and browsers that its test files share.
import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'

/** Created before any test runs, so that hooks registered in its scope belong to no test or file. */
const scope = new AsyncResource('process of tests')

/** Runs `act` outside of any test; a suite that it creates belongs to the process. */
export const outsideOfTests = <T>(act: () => T): T => scope.runInAsyncScope(act)

/** Runs `end` when all test files of this process are done. */
export const atProcessEnd = (end: () => unknown): void => outsideOfTests(() => after(async () => void (await end())))
