// What was possible when it was asked for, and is not any more when somebody else says yes to it.

import { Refusal } from '#kit/http/refusal.ts'

/** Its message says why. */
class NoLongerPossible extends Error {}

/** Does it; fails as `NoLongerPossible` where that is refused. */
export async function doneNow<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Refusal ? new NoLongerPossible(error.message) : error
  }
}

/**
 * Does what somebody asked for with the decision on it. Where that is no longer possible, what was asked for is closed with the
 * reason why, and refused as `wrong-state`.
 */
export async function doneOrClosed(
  what: string,
  decide: () => Promise<void>,
  close: (reason: string) => Promise<void>,
): Promise<void> {
  try {
    await decide()
  } catch (error) {
    if (!(error instanceof NoLongerPossible)) throw error
    await close(error.message)
    throw new Refusal('wrong-state', `it is no longer possible, and the ${what} is closed: ${error.message}`)
  }
}
