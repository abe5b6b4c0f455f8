// What was possible when it was asked for, and is not any more when somebody else says yes to it.

import { Refusal } from '#kit/http/refusal.ts'

/** Its message says why. */
export class NoLongerPossible extends Error {}

/** Does it; fails as `NoLongerPossible` where that is refused. */
export async function doneNow(run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    throw error instanceof Refusal ? new NoLongerPossible(error.message) : error
  }
}
