// When events and files that the other side did not take are tried again (D3 §8).
import { schedule } from '#kit/runtime/schedule.ts'

/** After the last pause operators are alerted, and the event is kept for a replay. */
export const eventSchedule = schedule(['PT1M', 'PT5M', 'PT15M', 'PT1H', 'PT4H'], 'give up')

/** A file that is needed is not given up: the last pause is repeated. */
export const fileSchedule = schedule(eventSchedule.pauses, 'repeat')
